import { Mail } from '../../shared/correspondence/mails/schema.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { draftFor, readForMail, storedMail } from '../../shared/correspondence/outgoing/read-for-mail.ts';
import { MailInputWithDocuments } from '../../shared/correspondence/outgoing/schema.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { reached } from '../../shared/endpoints/reached.ts';
import { ApplicationParams } from '../../shared/sales/applications/record/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';

export default endpoint({
  method: 'POST',
  path: '/applications/{applicationId}/mails',
  permission: 'writeApplications',
  reach: 'application',
  params: ApplicationParams,
  body: MailInputWithDocuments,
  response: Mail,
  success: 'created',
  errors: ['mail_unavailable', 'mail_domain_not_verified'],
  happenings: ['mail_queued'],
  summary: 'Send a mail in the thread of an application',
  description:
    'Each recipient gets an own message, whose reply address is valid only for this recipient. All recipients take part in the thread from now on.',
  read: async (input) => {
    const { account, params } = input;
    const record = await reached(input, 'application', applications.get(account, params.applicationId));
    return readForMail(account, { recordType: 'application' as const, record }, input.body);
  },
  decide: async (request, loaded) => {
    const draft = draftFor(request, loaded, 'readApplications');
    const { mail, ...stored } = await storedMail(draft, loaded, request);
    return { response: mails.show(mail), ...stored };
  },
});
