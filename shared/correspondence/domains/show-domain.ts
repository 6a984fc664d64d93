import { challengeNameOf } from '../../domains/show-domain.ts';
import type { DnsRecord, MailDomain, SesIdentity, StoredMailDomain } from './schema.ts';

/** The label of the subdomain to which mail servers return undeliverable mail (the custom MAIL FROM domain of SES). */
const returnPathLabel = 'bounce';

export const returnPathOf = (domain: string): string => `${returnPathLabel}.${domain}`;

/** Returns a mail domain as the API shows it. */
export const showMailDomain = ({ challenge, identity, ...domain }: StoredMailDomain): MailDomain => ({
  ...domain,
  records: [
    { purpose: 'proof', type: 'TXT', name: challengeNameOf(domain.domain), value: challenge },
    ...(identity ? recordsOf(domain.domain, identity) : []),
  ],
});

/** The records of Easy DKIM and of a custom MAIL FROM domain (Amazon SES Developer Guide). */
const recordsOf = (
  domain: string,
  { dkimTokens, dkimZone, dkim, returnPath, region }: SesIdentity,
): DnsRecord[] => [
  ...dkimTokens.map((token) => ({
    purpose: 'dkim' as const,
    type: 'CNAME' as const,
    name: `${token}._domainkey.${domain}`,
    value: `${token}.${dkimZone}`,
    state: dkim,
  })),
  {
    purpose: 'return_path',
    type: 'MX',
    name: returnPathOf(domain),
    value: `10 feedback-smtp.${region}.amazonses.com`,
    state: returnPath,
  },
  {
    purpose: 'return_path',
    type: 'TXT',
    name: returnPathOf(domain),
    value: 'v=spf1 include:amazonses.com ~all',
    state: returnPath,
  },
];
