import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { invalid } from '../errors.ts';
import { challengeNameOf } from './show-domain.ts';

/** Letters, digits, hyphens, and the four dots of UTS 46. */
const domainCharacters = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;
const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;
/** A browser reads a host that ends with a number as an IPv4 address, for example `0x7f.1`. */
const endsWithNumber = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;
/** The longest name in DNS, in characters. */
const longestName = 253;

/** The hosts of the API and of the portals, from the stage's settings. */
const serviceHosts = (): string[] =>
  (process.env.SERVICE_HOSTS ?? '').split(' ').filter((host) => host !== '');

/** Reports whether a domain is a host of the service, or belongs to a host of the service, or contains one. */
const isOfService = (domain: string): boolean =>
  serviceHosts().some(
    (host) => host === domain || host.endsWith(`.${domain}`) || domain.endsWith(`.${host}`),
  );

const notDomain = 'must be a domain without scheme, port and path, such as pay.example.com';

/**
 * Parses a domain in ASCII or Unicode. Throws `invalid_input` for an IP address in any notation, for a public suffix, for a
 * name without a known top-level domain, and for a domain of the service.
 */
export function readDomainName(text: string): { domain: string; unicodeDomain: string } {
  const name = text.trim().replace(/[.\u3002\uff0e\uff61]$/, '');
  if (isIP(name.replace(/^\[|\]$/g, ''))) throw invalid('domain', 'must not be an IP address');
  if (!domainCharacters.test(name)) throw invalid('domain', notDomain);
  const domain = domainToASCII(name.toLowerCase());
  if (endsWithNumber.test(domain)) throw invalid('domain', 'must not be an IP address');
  const labels = domain.split('.');
  if (!labels.every((one) => label.test(one))) throw invalid('domain', notDomain);
  if (challengeNameOf(domain).length > longestName)
    throw invalid('domain', `must have at most ${longestName - challengeNameOf('').length} characters`);
  const { publicSuffix, isIcann, isPrivate } = parse(domain, { allowPrivateDomains: true });
  if (labels.length < 2 || !(isIcann || isPrivate))
    throw invalid('domain', 'must end with a public top-level domain');
  if (publicSuffix === domain)
    throw invalid('domain', 'must not be a public suffix, under which anybody can register domains');
  if (isOfService(domain)) throw invalid('domain', 'must not be a domain of this service');
  return { domain, unicodeDomain: domainToUnicode(domain) };
}
