import { requestedDomain } from '../../shared/domains/request-domain.ts';
import { VanityDomain, VanityDomainInput } from '../../shared/domains/schema.ts';
import { showDomain } from '../../shared/domains/show-domain.ts';
import { vanityDomains } from '../../shared/domains/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { created } from '../../shared/events/emit.ts';

export default endpoint({
  method: 'POST',
  path: '/domains',
  administratorOnly: true,
  body: VanityDomainInput,
  response: VanityDomain,
  success: 'created',
  errors: ['domain_exists', 'quota_exceeded'],
  emits: ['vanity_domain_requested'],
  summary: 'Request a vanity domain',
  description:
    'Next, create the TXT record in the response and validate the domain. An account has at most 10 domains. Several accounts may request the same domain, but only the last account that proved its ownership holds it.',
  decide: (request) => {
    const domain = requestedDomain(request);
    return {
      response: showDomain(domain),
      writes: vanityDomains.insert(domain),
      events: created(vanityDomains, 'vanity_domain_requested', domain),
    };
  },
});
