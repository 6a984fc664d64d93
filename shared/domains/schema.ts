import { dateTime, object, oneOf, optional, type Static, string } from '../schema.ts';
import { recordFields } from '../table/record-fields.ts';

/** An account has at most this many vanity domains. */
export const maxVanityDomains = 10;

const deactivationReasons = ['taken_over', 'proof_missing', 'account_closed'] as const;
export type DeactivationReason = (typeof deactivationReasons)[number];

/** The results of the checks of a domain. They are stored separately, because they change without an event. */
const DomainProof = object(
  {
    lastProvedAt: optional(dateTime({ description: 'When a check last succeeded.' })),
    lastCheckedAt: optional(dateTime({ description: 'When the domain was last checked.' })),
    lastFailure: optional(
      string({
        description: 'Why the last check failed. Absent if it succeeded.',
        examples: ['The name server has no TXT record with the expected value.'],
      }),
    ),
  },
  { 'x-volatile': true },
);
export type DomainProof = Static<typeof DomainProof>;

const domain = string({ description: 'The domain in Punycode.', examples: ['xn--mnchen-3ya.example.com'] });

export const VanityDomain = object({
  ...recordFields,
  domain,
  unicodeDomain: string({
    description: 'The domain as people read it.',
    examples: ['münchen.example.com'],
  }),
  status: oneOf(['requested', 'validated', 'active', 'deactivated'], {
    description:
      '`validated`: the account proved that it controls the DNS of the domain. `active`: links contain the domain. `deactivated`: the service deactivated the domain; it can be validated and activated again.',
  }),
  deactivationReason: optional(
    oneOf(deactivationReasons, {
      description:
        '`taken_over`: another account proved that it controls the domain. `proof_missing`: the checks failed for 72 hours. `account_closed`: the account was deleted while the domain was active, and then reopened.',
    }),
  ),
  txtRecord: object(
    {
      name: string({ examples: ['_merchant-ops-challenge.xn--mnchen-3ya.example.com'] }),
      value: string({ examples: ['merchant-ops-domain=7Zk1f0S8yq3mXw2bVt9Lr4Pc'] }),
    },
    { description: 'The TXT record to create before the validation.' },
  ),
  webFile: object(
    {
      url: string({
        examples: ['https://xn--mnchen-3ya.example.com/.well-known/merchant-ops-domain'],
      }),
      content: string({ examples: ['merchant-ops-domain=7Zk1f0S8yq3mXw2bVt9Lr4Pc'] }),
    },
    { description: 'The file that the domain must serve over HTTPS before the activation.' },
  ),
  validatedAt: optional(dateTime()),
  activatedAt: optional(dateTime()),
  proof: DomainProof,
});
export type VanityDomain = Static<typeof VanityDomain>;

export const VanityDomainInput = object({
  domain: string({
    minLength: 1,
    maxLength: 253,
    description: 'A domain in ASCII or Unicode, without scheme, port and path.',
    examples: ['pay.example.com'],
  }),
});

/** A vanity domain as it is stored. `challenge` is the value of the TXT record and the content of the file. */
export interface StoredVanityDomain extends Omit<VanityDomain, 'txtRecord' | 'webFile' | 'proof'> {
  challenge: string;
}
