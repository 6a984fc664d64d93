import {
  accountId,
  array,
  dateTime,
  integer,
  nullable,
  object,
  oneOf,
  type Static,
  string,
} from '../../schema.ts';

const sha256 = (description: string) =>
  string({
    maxLength: 64,
    description: `${description}, in hex.`,
    examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
  });

/** A seal as the API shows it: the statement that is signed, and beside it `hash`, `signature` and `verifyingKey`. */
export const Seal = object({
  number: integer({ minimum: 1, description: 'From 1, without gaps.', examples: [1] }),
  accountId: accountId(),
  version: integer({ description: 'Of the shape of what is signed.', examples: [1] }),
  from: dateTime({ description: 'Where the seal before ends.' }),
  to: dateTime({ description: 'It holds the events whose ids were minted from `from` on and before this.' }),
  count: integer({ description: 'How many events those are.', examples: [12] }),
  root: sha256('The Merkle root over them in the order of their ids'),
  previous: nullable(sha256('The hash of the seal before; null for the first')),
  hash: sha256('What the seal is known by: of the text that is signed'),
  signature: string({
    description: 'ECDSA on P-256 over SHA-256, in base64 of its DER.',
    examples: ['MEUCIQDa0vJ2…'],
  }),
  verifyingKey: string({
    description: 'The public key that it was signed by, in base64 of its DER (SPKI).',
    examples: ['MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE…'],
  }),
});
export type Seal = Static<typeof Seal>;

/** What shows, without the service, that an event is in a seal. */
export const EventProof = object({
  sealedText: string({
    maxLength: 409_600,
    description: 'The event as the text that was sealed: canonical JSON (RFC 8785).',
    examples: ['{"accountId":"acme","actor":{"apiKey":null,"user":"grace@example.com"},"data":{}}'],
  }),
  index: integer({ description: 'Its place among the events of the seal, from 0.', examples: [0] }),
  path: array(
    object({
      side: oneOf(['left', 'right'], { description: 'On which side of the way to the root it stands.' }),
      hash: sha256('Of the leaf or node'),
    }),
    { description: 'What stands beside the way from the event to the root, from the event on.' },
  ),
  seal: Seal,
});
export type EventProof = Static<typeof EventProof>;
