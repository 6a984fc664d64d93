import { validateDomain } from '../../shared/domains/change-domain.ts';
import { findEarlierHolder } from '../../shared/domains/find-earlier-holder.ts';
import { checkTxt, requireProof } from '../../shared/domains/prove-domain.ts';
import { VanityDomain } from '../../shared/domains/schema.ts';
import { showDomain } from '../../shared/domains/show-domain.ts';
import { vanityDomains } from '../../shared/domains/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/domains/{id}/validate',
  administratorOnly: true,
  params: RecordParams,
  response: VanityDomain,
  errors: ['domain_not_proved', 'domain_unavailable'],
  emits: ['vanity_domain_validated', 'vanity_domain_deleted', 'account_updated'],
  rights: ['account:write', 'domains:hold'],
  readsMany: true,
  weigh: () => weightOfWindow,
  summary: 'Validate a vanity domain',
  description:
    'Reads the TXT record from the name servers of the domain’s zone. A CNAME is not followed. If another account holds the domain, its domain is deactivated and its administrators are notified. A request counts as ten requests of the caller’s limit.',
  read: async ({ account, params }) => {
    const { domain } = await vanityDomains.getWithProof(account, params.id);
    return { domain, earlier: await findEarlierHolder(domain) };
  },
  decide: async (request, { domain, earlier }) => {
    // Name servers are asked only here, after the caller was authorized and the call was counted.
    requireProof(await checkTxt(domain));
    const { after, proof, writes, events } = validateDomain(domain, earlier, request);
    return { response: showDomain(after, proof), writes, events };
  },
});
