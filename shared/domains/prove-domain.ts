import { ApiError } from '../errors.ts';
import { resolverOf } from '../messaging/webhooks/resolve-name.ts';
import { send } from '../messaging/webhooks/send.ts';
import { domainServers, isProvedByName } from './local-servers.ts';
import { resolveTxt } from './resolve-txt.ts';
import type { StoredVanityDomain } from './schema.ts';
import { challengeNameOf, challengeUrlOf } from './show-domain.ts';

/** The reason why a check failed. With `unavailable`, the servers did not respond, so the result is unknown. */
interface ProofFailure {
  code: 'domain_not_proved' | 'domain_unavailable';
  message: string;
}

type Proving = Pick<StoredVanityDomain, 'domain' | 'challenge'>;

/** The time limits of both checks, in milliseconds. A request has 15 seconds. */
const [dnsLimit, webLimit] = [6_000, 6_000];
/** The longest file that is read, in bytes. */
const longestFile = 4 * 1024;
/** A message repeats at most this many values of TXT records, and this many characters of each value. */
const [mostShown, longestShown] = [3, 60];

const notProved = (message: string): ProofFailure => ({ code: 'domain_not_proved', message });
const unavailable = (message: string): ProofFailure => ({ code: 'domain_unavailable', message });

/** Checks the TXT record of a domain. Returns undefined if it contains the challenge. */
export async function checkTxt(
  { domain, challenge }: Proving,
  signal?: AbortSignal,
): Promise<ProofFailure | undefined> {
  if (isProvedByName(domain)) return undefined;
  const name = challengeNameOf(domain);
  const result = await resolveTxt(name, domain, domainServers(), within(dnsLimit, signal));
  if (result.is === 'failed') return unavailable(result.reason);
  if (result.is === 'missing') return notProved(`The TXT record ${name} does not exist.`);
  if (result.is === 'alias')
    return notProved(`${name} is an alias (CNAME) of ${shown(result.target)}. Create a TXT record instead.`);
  if (result.values.some((value) => unquoted(value) === challenge)) return undefined;
  const values = result.values.slice(0, mostShown).map((value) => `"${shown(value)}"`);
  return notProved(`The TXT record ${name} has another value: ${values.join(', ')}.`);
}

/** Checks the file that a domain serves over HTTPS. Returns undefined if a line of the file is the challenge. */
async function checkWebFile(
  { domain, challenge }: Proving,
  signal?: AbortSignal,
): Promise<ProofFailure | undefined> {
  const servers = domainServers();
  const url = challengeUrlOf(domain);
  // A closed connection makes the next check read the certificate again.
  const headers = { 'user-agent': 'merchant-ops-domains/1', accept: 'text/plain', connection: 'close' };
  const {
    status,
    error,
    response = '',
  } = await send(
    { url, method: 'GET', headers, keep: longestFile },
    {
      signal: within(webLimit, signal),
      resolve: resolverOf(servers.resolvers),
      ...(servers.web && { ca: servers.web.ca, loopbackPort: servers.web.port }),
    },
  );
  if (error === 'tls_failed') return notProved(`${url} has no valid certificate.`);
  if (error === 'address_forbidden') return notProved(`${domain} has an address that is not public.`);
  if (error === 'name_unknown') return notProved(`${domain} has no address.`);
  if (status === undefined) return unavailable(`${url} did not respond: ${error}.`);
  if (status !== 200) return notProved(`${url} responded with ${status} instead of 200.`);
  const lines = response.split(/\r?\n/).map(unquoted);
  return lines.includes(challenge) ? undefined : notProved(`${url} does not contain the expected line.`);
}

/** Checks the TXT record and the file of a domain at the same time. Returns the first failure. */
export async function proveDomain(domain: Proving, signal?: AbortSignal): Promise<ProofFailure | undefined> {
  const [txt, file] = await Promise.all([checkTxt(domain, signal), checkWebFile(domain, signal)]);
  return txt ?? file;
}

/** Throws the failure of a check as the error of a request. */
export function requireProof(failure: ProofFailure | undefined): void {
  if (failure) throw new ApiError(failure.code, { message: failure.message });
}

const within = (limit: number, signal?: AbortSignal): AbortSignal =>
  signal ? AbortSignal.any([signal, AbortSignal.timeout(limit)]) : AbortSignal.timeout(limit);

/**
 * Returns a text without the spaces and quotation marks around it, which some DNS providers and editors add. Removes all
 * characters at the ends that a challenge cannot have there, in any encoding.
 */
const unquoted = (text: string): string => text.replace(/^[^\w=-]+|[^\w=-]+$/g, '');

/** Cuts a text from the server of the domain, and replaces characters that are not printable ASCII. */
const shown = (text: string): string => text.slice(0, longestShown).replace(/[^\x20-\x7e]/g, '?');
