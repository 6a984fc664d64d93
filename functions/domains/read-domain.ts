import { VanityDomain } from '../../shared/domains/schema.ts';
import { showDomain } from '../../shared/domains/show-domain.ts';
import { vanityDomains } from '../../shared/domains/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'GET',
  path: '/domains/{id}',
  administratorOnly: true,
  params: RecordParams,
  response: VanityDomain,
  summary: 'Read a vanity domain',
  read: ({ account, params }) => vanityDomains.getWithProof(account, params.id),
  decide: (_, { domain, proof }) => ({ response: showDomain(domain, proof) }),
});
