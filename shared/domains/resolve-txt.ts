import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import type { DomainServers } from './local-servers.ts';

/** The result of a query for TXT records at the authoritative servers of a zone. */
type TxtResult =
  | { is: 'found'; values: string[] }
  /** The name is an alias. Its target may have another owner, so it proves nothing. */
  | { is: 'alias'; target: string }
  | { is: 'missing' }
  /** No name server responded, or a name server failed. */
  | { is: 'failed'; reason: string };

/** The timeout of one query in milliseconds, and the number of tries. */
const query = { timeout: 1_000, tries: 2 };
/** At most this many name servers of a zone are queried. */
const mostServers = 4;

/** Thrown if a query failed, so that the result is unknown. */
class QueryFailed extends Error {}

/** Returns undefined if the name or its records do not exist. Throws `QueryFailed` for every other error. */
async function answerOf<T>(records: Promise<T>): Promise<T | undefined> {
  try {
    return await records;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return undefined;
    throw new QueryFailed(code);
  }
}

/**
 * Queries the TXT records of a name directly at the authoritative name servers of its zone, because the cache of another
 * resolver may be out of date. Never throws. Finds the zone by the NS records of the domain and of the domains above it.
 * Ignores the NS records of an alias, because they belong to the zone of its target.
 */
export async function resolveTxt(
  name: string,
  domain: string,
  servers: DomainServers,
  signal: AbortSignal,
): Promise<TxtResult> {
  const first = new Resolver(query);
  if (servers.resolvers) first.setServers(servers.resolvers);
  const authoritative = new Resolver(query);
  const cancel = () => {
    first.cancel();
    authoritative.cancel();
  };
  signal.addEventListener('abort', cancel);
  try {
    signal.throwIfAborted();
    const nameServers = await nameServersOf(domain, first);
    if (!nameServers) return { is: 'missing' };
    const addresses = await addressesOf(nameServers, first, servers);
    if (addresses.length === 0)
      return { is: 'failed', reason: 'The name servers of the domain have no public address.' };
    authoritative.setServers(addresses);
    const [aliases, records] = await Promise.all([
      answerOf(authoritative.resolveCname(name)),
      answerOf(authoritative.resolveTxt(name)),
    ]);
    if (aliases?.[0] !== undefined) return { is: 'alias', target: aliases[0] };
    if (!records || records.length === 0) return { is: 'missing' };
    return { is: 'found', values: records.map((parts) => parts.join('')) };
  } catch (error) {
    if (!(error instanceof QueryFailed) && !signal.aborted) throw error;
    return { is: 'failed', reason: 'The name servers of the domain did not give a usable answer in time.' };
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Returns the names of the name servers of the zone that contains a domain; undefined if there is no such zone. */
async function nameServersOf(domain: string, resolver: Resolver): Promise<string[] | undefined> {
  for (let zone = domain; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
    const [aliases, names] = await Promise.all([
      answerOf(resolver.resolveCname(zone)),
      answerOf(resolver.resolveNs(zone)),
    ]);
    if (!aliases && names && names.length > 0) return names.slice(0, mostServers);
  }
  return undefined;
}

/** Returns the allowed addresses of name servers, with ports, IPv4 first. */
async function addressesOf(
  names: readonly string[],
  resolver: Resolver,
  { dnsPort, isAllowed }: DomainServers,
): Promise<string[]> {
  const found = await Promise.allSettled([
    ...names.map((name) => resolver.resolve4(name)),
    ...names.map((name) => resolver.resolve6(name)),
  ]);
  return found
    .flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    .filter(isAllowed)
    .slice(0, mostServers)
    .map((address) => (isIPv6(address) ? `[${address}]:${dnsPort}` : `${address}:${dnsPort}`));
}
