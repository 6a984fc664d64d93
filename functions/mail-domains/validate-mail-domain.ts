import { findEarlierMailHolder, proveMailDomain } from '../../shared/correspondence/domains/change-domain.ts';
import { MailDomain } from '../../shared/correspondence/domains/schema.ts';
import { mailDomains } from '../../shared/correspondence/domains/store.ts';
import { checkTxt, requireProof } from '../../shared/domains/prove-domain.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { weightOfWindow } from '../../shared/endpoints/listing.ts';
import { RecordParams } from '../../shared/table/record-fields.ts';

export default endpoint({
  method: 'POST',
  path: '/mail-domains/{id}/validate',
  administratorOnly: true,
  params: RecordParams,
  response: MailDomain,
  errors: ['domain_not_proved', 'domain_unavailable'],
  happenings: ['mail_domain_updated'],
  rights: ['domains:hold'],
  readsMany: true,
  weigh: () => weightOfWindow,
  summary: 'Validate a mail domain',
  description:
    'Reads the TXT record from the name servers of the domain’s zone. A CNAME is not followed. A job then registers the domain at SES, and the domain shows the other DNS records to create. If another account holds the domain, that account loses it. A request counts as ten requests of the caller’s limit.',
  read: async ({ account, params }) => {
    const domain = await mailDomains.get(account, params.id);
    return { domain, earlier: await findEarlierMailHolder(domain) };
  },
  decide: async (request, { domain, earlier }) => {
    // Name servers are asked only here, after the caller was authorized and the call was counted.
    requireProof(await checkTxt(domain));
    const { after, writes, events } = proveMailDomain(domain, earlier, request);
    return { response: mailDomains.show(after), writes, events };
  },
});
