import { mailDomainChanged } from '../../shared/correspondence/domains/events.ts';
import { newMailDomain } from '../../shared/correspondence/domains/new-domain.ts';
import { MailDomain, MailDomainInput } from '../../shared/correspondence/domains/schema.ts';
import { mailDomains } from '../../shared/correspondence/domains/store.ts';
import { requireServiceMailDomain } from '../../shared/correspondence/threads/service-mail-domain.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/mail-domains',
  administratorOnly: true,
  body: MailDomainInput,
  response: MailDomain,
  success: 'created',
  errors: ['mail_domain_exists', 'mail_unavailable', 'quota_exceeded'],
  happenings: ['mail_domain_created'],
  summary: 'Add a mail domain',
  description:
    'Next, create the TXT record in the response and validate the domain. An account has at most 20 mail domains. Several accounts may add the same domain, but only the last account that proved its ownership holds it.',
  decide: (request) => {
    requireServiceMailDomain();
    const domain = newMailDomain(request);
    return {
      response: mailDomains.show(domain),
      writes: mailDomains.insert(domain),
      events: mailDomainChanged('mail_domain_created', domain),
    };
  },
});
