import type { DomainProof, StoredVanityDomain, VanityDomain } from './schema.ts';

/** The label of the TXT record, in front of the domain. */
const challengeLabel = '_merchant-ops-challenge';

export const challengeNameOf = (domain: string): string => `${challengeLabel}.${domain}`;

export const challengeUrlOf = (domain: string): string => `https://${domain}/.well-known/merchant-ops-domain`;

/** Returns a domain as the API shows it. */
export const showDomain = (
  { challenge, ...domain }: StoredVanityDomain,
  proof: DomainProof = {},
): VanityDomain => ({
  ...domain,
  txtRecord: { name: challengeNameOf(domain.domain), value: challenge },
  webFile: { url: challengeUrlOf(domain.domain), content: challenge },
  proof,
});
