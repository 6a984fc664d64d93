import { Resolver } from 'node:dns/promises';

/** So long a name may take, in milliseconds. */
const limit = 3_000;

/** The addresses of a name, of both kinds, IPv4 first. Throws where there are none, and when `signal` says so. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

/**
 * By a resolver of its own for each name, so that a slow one ends with nobody else's: `dns.lookup` takes a thread of four,
 * and four slow names would stall the process. It asks twice, and has an end after three seconds. `servers`: those of the
 * machine.
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
      const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const addresses = found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      throw found.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))[0];
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  };
