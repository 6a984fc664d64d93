import {
  accountId,
  array,
  dateTime,
  integer,
  nullable,
  object,
  oneOf,
  type Static,
  sha256,
  string,
} from '../../schema.ts';

/** A seal as the API shows it: the signed statement, `hash`, `signature` and `verifyingKey`. */
export const Seal = object({
  number: integer({ minimum: 1, description: 'Starts at 1, without gaps.', examples: [1] }),
  accountId: accountId(),
  version: integer({ description: 'The version of the signed statement.', examples: [1] }),
  from: dateTime({ description: 'The end of the previous seal.' }),
  to: dateTime({
    description: 'The seal contains the events with ids created from `from` (inclusive) to `to` (exclusive).',
  }),
  count: integer({ description: 'The number of events.', examples: [12] }),
  root: sha256('The Merkle root over the events, sorted by id'),
  previous: nullable(sha256('The hash of the previous seal, or null for the first seal')),
  hash: sha256('The hash of the signed text'),
  signature: string({
    description: 'The ECDSA signature (P-256, SHA-256) as DER in base64.',
    examples: ['MEUCIQDa0vJ2…'],
  }),
  verifyingKey: string({
    description: 'The public key of the signature, as DER (SPKI) in base64.',
    examples: ['MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE…'],
  }),
});
export type Seal = Static<typeof Seal>;

/** A proof that an event is in a seal. It can be verified without the service. */
export const EventProof = object({
  sealedText: string({
    maxLength: 409_600,
    description: 'The sealed text of the event: canonical JSON (RFC 8785).',
    examples: ['{"accountId":"acme","actor":{"apiKey":null,"user":"grace@example.com"},"data":{}}'],
  }),
  index: integer({ description: 'The position of the event in the seal, from 0.', examples: [0] }),
  path: array(
    object({
      side: oneOf(['left', 'right'], { description: 'The side on which to add the hash.' }),
      hash: sha256('The hash of the sibling'),
    }),
    { description: 'The sibling hashes from the event up to the root.' },
  ),
  seal: Seal,
});
export type EventProof = Static<typeof EventProof>;
