import { array, dateTime, object, oneOf, optional, type Static, string } from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

/** An account has at most this many mail domains. */
export const maxMailDomains = 20;

/** The states of SES's checks of DNS records, in lower case. */
const checkStates = ['pending', 'success', 'failed', 'temporary_failure', 'not_started'] as const;
export type CheckState = (typeof checkStates)[number];

const DnsRecord = object({
  purpose: oneOf(['proof', 'dkim', 'return_path'], {
    description:
      '`proof`: needed for the validation. `dkim`: SES signs mail of the domain. `return_path`: mail servers return undeliverable mail there.',
  }),
  type: oneOf(['TXT', 'CNAME', 'MX']),
  name: string({ examples: ['_merchant-ops-challenge.example.com'] }),
  value: string({ examples: ['merchant-ops-mail=7Zk1f0S8yq3mXw2bVt9Lr4Pc'] }),
  state: optional(oneOf(checkStates, { description: 'The last check by SES. Absent for the proof.' })),
});
export type DnsRecord = Static<typeof DnsRecord>;

const fields = {
  domain: string({ description: 'The domain in Punycode.', examples: ['xn--mnchen-3ya.example.com'] }),
  unicodeDomain: string({
    description: 'The domain as people read it.',
    examples: ['münchen.example.com'],
  }),
  status: oneOf(['requested', 'proved', 'verified', 'failed', 'taken_over'], {
    description:
      '`proved`: the account proved that it controls the DNS of the domain, and SES checks the other records. `verified`: mail can be sent from the domain. `failed`: SES did not find the DKIM records for 72 hours; validate the domain again. `taken_over`: another account proved that it controls the domain.',
  }),
  provedAt: optional(dateTime()),
  verifiedAt: optional(dateTime()),
};

export const MailDomain = object({
  ...recordFields,
  ...fields,
  records: array(DnsRecord, {
    description: 'The DNS records to create. Those for SES are present soon after the validation.',
  }),
});
export type MailDomain = Static<typeof MailDomain>;

/** The DNS records of SES, and the states of its checks. */
export interface SesIdentity {
  dkimTokens: string[];
  /** The zone with the public keys of the tokens. */
  dkimZone: string;
  dkim: CheckState;
  returnPath: CheckState;
  /** The AWS region, which is part of the name of the mail server. */
  region: string;
}

/** A mail domain as it is stored. `challenge` is the value of the TXT record. */
export interface StoredMailDomain extends Omit<MailDomain, 'records'> {
  challenge: string;
  identity?: SesIdentity;
}

export const MailDomainInput = object({
  domain: string({
    minLength: 1,
    maxLength: 253,
    description: 'A domain in ASCII or Unicode, without scheme, port and path.',
    examples: ['example.com'],
  }),
});
