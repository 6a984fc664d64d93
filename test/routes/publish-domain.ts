import type { MailDomain } from '../../shared/correspondence/domains/schema.ts';
import type { VanityDomain } from '../../shared/domains/schema.ts';
import { type DomainServersOfTest, startDomainServers } from '../harness/domain-servers.ts';

let starting: Promise<DomainServersOfTest> | undefined;

async function publicServers(): Promise<DomainServersOfTest> {
  starting ??= startDomainServers();
  const servers = await starting;
  process.env.DOMAIN_SERVERS = servers.setting;
  servers.dns.names.set('ns.example.com', { A: ['127.0.0.1'] });
  for (const zone of ['example.com', 'example.org']) servers.dns.names.set(zone, { NS: ['ns.example.com'] });
  return servers;
}

/** Publishes the TXT record of a mail domain on a name server of this test file. */
export async function publishMailDomain({ records }: MailDomain): Promise<void> {
  const { dns } = await publicServers();
  for (const { purpose, name, value } of records)
    if (purpose === 'proof') dns.names.set(name, { TXT: [value] });
}

/** Publishes the TXT record and the file of a domain on servers of this test file. */
export async function publishDomain({ domain, txtRecord, webFile }: VanityDomain): Promise<void> {
  const { dns, pages } = await publicServers();
  dns.names.set(txtRecord.name, { TXT: [txtRecord.value] });
  dns.names.set(domain, { A: ['127.0.0.1'] });
  pages.set(`${domain}/.well-known/merchant-ops-domain`, { body: webFile.content });
}
