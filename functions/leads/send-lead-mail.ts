import { Mail } from '../../shared/correspondence/mails/schema.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { draftFor, readForMail, storedMail } from '../../shared/correspondence/outgoing/read-for-mail.ts';
import { MailInput } from '../../shared/correspondence/outgoing/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { LeadParams } from '../../shared/sales/leads/schema.ts';
import { leads } from '../../shared/sales/leads/store.ts';

export default endpoint({
  method: 'POST',
  path: '/leads/{leadId}/mails',
  permission: 'writeLeads',
  reach: 'lead',
  params: LeadParams,
  body: MailInput,
  response: Mail,
  success: 'created',
  errors: ['mail_unavailable', 'mail_domain_not_verified'],
  happenings: ['mail_queued'],
  summary: 'Send a mail in the thread of a lead',
  description:
    'Each recipient gets an own message, whose reply address is valid only for this recipient. All recipients take part in the thread from now on.',
  read: async (input) => {
    const lead = await reached(input, 'lead', leads.get(input.account, input.params.leadId));
    return readForMail(input.account, { recordType: 'lead' as const, record: lead }, input.body);
  },
  decide: async (request, loaded) => {
    const draft = draftFor(request, loaded, 'readLeads');
    const { mail, ...stored } = await storedMail(draft, loaded, request);
    return { response: mails.show(mail), ...stored };
  },
});
