import {
  mailWriters,
  readMailToRule,
  releaseMail,
  requireMayRule,
  rulingKinds,
} from '../../shared/correspondence/incoming/rule-on-mail.ts';
import { Mail, MailParams } from '../../shared/correspondence/mails/schema.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { mailRecordTypes } from '../../shared/correspondence/threads/mail-access.ts';
import { emptyBody } from '../../shared/endpoints/empty-body.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/mails/{mailId}/release',
  anyPermission: mailWriters,
  reach: mailRecordTypes,
  params: MailParams,
  ...emptyBody,
  response: Mail,
  errors: ['mail_not_movable'],
  emits: rulingKinds,
  happenings: ['mail_released'],
  summary: 'Release a held or quarantined mail',
  description:
    'A mail in a thread becomes visible in it, and its sender takes part in the thread from then on, unless 50 people already do. A mail without a thread opens a ticket or a lead, as its mail address requires. The allowed attachments of a mail in a ticket become documents shortly afterwards, while the raw mail exists. `attachments` lists them, and why others do not.',
  read: ({ account, params }) => readMailToRule(account, params.mailId),
  decide: async (request, found) => {
    requireMayRule(request.principal, found, ['held', 'quarantined']);
    const { after, writes, events } = await releaseMail(request, found);
    return { response: mails.show(after), writes, events };
  },
});
