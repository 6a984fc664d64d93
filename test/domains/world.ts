import { afterAll, beforeEach, vi } from 'vitest';
import activateDomain from '../../functions/domains/activate-domain.ts';
import requestDomain from '../../functions/domains/request-domain.ts';
import validateDomain from '../../functions/domains/validate-domain.ts';
import type { VanityDomain } from '../../shared/domains/schema.ts';
import { clock } from '../harness/clock.ts';
import { startDomainServers } from '../harness/domain-servers.ts';
import type { Tenant } from '../harness/tenant.ts';

/** The name servers and the web server of a test file. */
export const servers = await startDomainServers();
afterAll(() => servers.stop());

/** Resets the servers before each test. Each zone has a name server at 127.0.0.1. */
beforeEach(() => {
  vi.stubEnv('DOMAIN_SERVERS', servers.setting);
  clock.reset();
  const { dns, pages } = servers;
  dns.names.clear();
  delete dns.failure;
  dns.asked.length = 0;
  pages.clear();
  servers.useValidCertificate(true);
  dns.names.set('ns.name-servers.net', { A: ['127.0.0.1'] });
  for (const zone of ['example.com', 'example.org', 'example.net'])
    dns.names.set(zone, { NS: ['ns.name-servers.net'] });
});

/** Creates the TXT record of a domain. */
export const publishRecord = ({ txtRecord: { name, value } }: VanityDomain): void =>
  void servers.dns.names.set(name, { TXT: [value] });

/** Creates the address of a domain, and serves its file. */
export function publishFile({ domain, webFile: { content } }: VanityDomain): void {
  servers.dns.names.set(domain, { A: ['127.0.0.1'] });
  servers.pages.set(`${domain}/.well-known/merchant-ops-domain`, { body: `${content}\n` });
}

export const requested = ({ admin }: Pick<Tenant, 'admin'>, domain: string): Promise<VanityDomain> =>
  admin.ok(requestDomain, { body: { domain } });

export const of = ({ id }: VanityDomain) => ({ params: { id } });

/** Requests, validates and activates a domain. */
export async function activated(owner: Tenant, name: string): Promise<VanityDomain> {
  const domain = await requested(owner, name);
  publishRecord(domain);
  publishFile(domain);
  await owner.admin.ok(validateDomain, of(domain));
  return owner.admin.ok(activateDomain, of(domain));
}
