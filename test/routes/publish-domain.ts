import type { VanityDomain } from '../../shared/domains/schema.ts';
import { type DomainServersOfTest, startDomainServers } from '../harness/domain-servers.ts';

let starting: Promise<DomainServersOfTest> | undefined;

/** Publishes the TXT record and the file of a domain on servers of this test file. */
export async function publishDomain({ domain, txtRecord, webFile }: VanityDomain): Promise<void> {
  starting ??= startDomainServers();
  const { dns, pages, setting } = await starting;
  process.env.DOMAIN_SERVERS = setting;
  dns.names.set('ns.example.com', { A: ['127.0.0.1'] });
  for (const zone of ['example.com', 'example.org']) dns.names.set(zone, { NS: ['ns.example.com'] });
  dns.names.set(txtRecord.name, { TXT: [txtRecord.value] });
  dns.names.set(domain, { A: ['127.0.0.1'] });
  pages.set(`${domain}/.well-known/merchant-ops-domain`, { body: webFile.content });
}
