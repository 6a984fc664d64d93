import { MailDomain } from '../../shared/correspondence/domains/schema.ts';
import { mailDomains } from '../../shared/correspondence/domains/store.ts';
import { readRecord } from '../../shared/endpoints/record-endpoints.ts';

export default readRecord(mailDomains, {
  path: '/mail-domains/{id}',
  administratorOnly: true,
  response: MailDomain,
  summary: 'Read a mail domain',
});
