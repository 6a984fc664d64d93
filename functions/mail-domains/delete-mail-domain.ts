import { deleteMailDomain } from '../../shared/correspondence/domains/change-domain.ts';
import { MailDomain } from '../../shared/correspondence/domains/schema.ts';
import { mailDomains } from '../../shared/correspondence/domains/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'DELETE',
  path: '/mail-domains/{id}',
  administratorOnly: true,
  params: RecordParams,
  response: MailDomain,
  happenings: ['mail_domain_deleted'],
  rights: ['domains:hold'],
  summary: 'Delete a mail domain',
  description: 'No more mail is sent from the domain. Its mail addresses remain and still receive mail.',
  read: ({ account, params }) => mailDomains.get(account, params.id),
  decide: ({ now }, domain) => ({
    response: mailDomains.show(domain),
    ...deleteMailDomain(domain, now),
  }),
});
