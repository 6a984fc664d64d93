import { Resolver } from 'node:dns/promises';

/** The maximum time to resolve one name, in milliseconds. */
const limit = 3_000;

/** Returns the addresses of a name, IPv4 before IPv6. Throws if no address exists or `signal` is aborted. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Resolves each name with a separate resolver, which tries at most twice and takes at most three seconds. By default,
 * uses the machine's name servers. Does not use `dns.lookup`, because it has only four threads: four slow names would
 * block all others.
 */
export const resolverOf =
  (servers?: readonly string[]): Resolve =>
  async (name, signal) => {
    const resolver = new Resolver({ timeout: 1_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    const timer = setTimeout(cancel, limit);
    signal.addEventListener('abort', cancel);
    try {
      const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      if (addresses.length > 0) return addresses;
      throw results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))[0];
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  };
