import { accounts } from '../../shared/accounts/store.ts';
import { deleteDomain } from '../../shared/domains/change-domain.ts';
import { VanityDomain } from '../../shared/domains/schema.ts';
import { showDomain } from '../../shared/domains/show-domain.ts';
import { vanityDomains } from '../../shared/domains/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'DELETE',
  path: '/domains/{id}',
  administratorOnly: true,
  params: RecordParams,
  response: VanityDomain,
  emits: ['vanity_domain_deleted', 'account_updated'],
  rights: ['account:write', 'domains:hold'],
  summary: 'Delete a vanity domain',
  description: 'If the domain is active, links contain the host of `portalUrl` again.',
  read: ({ account, params }) =>
    inParallel([vanityDomains.getWithProof(account, params.id), accounts.get(account)]),
  decide: (request, [{ domain, proof }, account]) => {
    const { writes, events } = deleteDomain(domain, account, request);
    return { response: showDomain(domain, proof), writes, events };
  },
});
