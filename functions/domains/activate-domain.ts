import { accounts } from '../../shared/accounts/store.ts';
import { activateDomain, requireValidated } from '../../shared/domains/change-domain.ts';
import { proveDomain, requireProof } from '../../shared/domains/prove-domain.ts';
import { VanityDomain } from '../../shared/domains/schema.ts';
import { showDomain } from '../../shared/domains/show-domain.ts';
import { vanityDomains } from '../../shared/domains/store.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { inParallel } from '../../shared/table/in-parallel.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/domains/{id}/activate',
  administratorOnly: true,
  params: RecordParams,
  response: VanityDomain,
  errors: ['domain_not_validated', 'domain_not_proved', 'domain_unavailable'],
  emits: ['vanity_domain_activated', 'account_updated'],
  rights: ['account:write', 'domains:hold'],
  readsMany: true,
  weigh: () => weightOfWindow,
  summary: 'Activate a vanity domain',
  description:
    'Requests `webFile.url` and checks the TXT record again. The domain needs a valid certificate and a public address, and redirects are not followed. The domain that was active before becomes validated. An active domain is checked every day. It is deactivated after 72 hours without a successful check. A request counts as ten requests of the caller’s limit.',
  read: async ({ account, params }) => {
    const { domain } = await vanityDomains.getWithProof(account, params.id);
    requireValidated(domain);
    const [accountRecord, all] = await inParallel([accounts.get(account), vanityDomains.all(account)]);
    // A concurrent request may have activated the domain itself after it was read. Then the version conflicts.
    const replaced = all
      .map((one) => one.domain)
      .find(({ id, status }) => status === 'active' && id !== domain.id);
    return { domain, account: accountRecord, replaced };
  },
  decide: async (request, { domain, ...of }) => {
    // Other servers are asked only here, after the caller was authorized and the call was counted.
    requireProof(await proveDomain(domain));
    const { after, proof, writes, events } = activateDomain(domain, of, request);
    return { response: showDomain(after, proof), writes, events };
  },
});
