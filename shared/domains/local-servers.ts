import { readFileSync } from 'node:fs';
import { isPublicAddress } from '../messaging/webhooks/destination.ts';

/** The name servers and web servers that the checks of a domain use. */
export interface DomainServers {
  /** The first name servers, with ports. Default: the name servers of the machine. */
  resolvers?: readonly string[];
  /** The port of authoritative name servers. */
  dnsPort: number;
  /** The port of web servers, and their certificate authority. Default: 443, and the authorities of Node.js. */
  web?: { port: number; ca: string };
  /** Reports whether a name server with this address may be queried. */
  isAllowed(address: string): boolean;
}

const publicServers: DomainServers = { dnsPort: 53, isAllowed: isPublicAddress };

/**
 * Returns the servers for checks. On the stage `local`, `DOMAIN_SERVERS` may name servers on loopback addresses for tests,
 * as in `{"dns":"127.0.0.1:5300","https":8443,"caFile":"ca.pem"}`. Authoritative servers then have the port of `dns`.
 */
export function domainServers(): DomainServers {
  const { STAGE, DOMAIN_SERVERS } = process.env;
  if (STAGE !== 'local' || !DOMAIN_SERVERS) return publicServers;
  const { dns, https, caFile } = JSON.parse(DOMAIN_SERVERS) as { dns: string; https: number; caFile: string };
  return {
    resolvers: [dns],
    dnsPort: Number(dns.split(':').at(-1)),
    web: { port: https, ca: readFileSync(caFile, 'utf8') },
    isAllowed: (address) => address.startsWith('127.'),
  };
}

/** The reserved domains (RFC 2606, section 3). */
const exampleDomain = /(?:^|\.)example\.(?:com|net|org)$/;

/**
 * Reports whether a domain counts as proved without a TXT record: on the stage `local`, without DOMAIN_SERVERS, a domain that
 * nobody can register. So the local service can send and receive mail of such domains.
 */
export const isProvedByName = (domain: string): boolean =>
  process.env.STAGE === 'local' && !process.env.DOMAIN_SERVERS && exampleDomain.test(domain);
