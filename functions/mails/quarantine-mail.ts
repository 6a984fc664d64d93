import {
  mailWriters,
  quarantineMail,
  readMailToRule,
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
  path: '/mails/{mailId}/quarantine',
  anyPermission: mailWriters,
  reach: mailRecordTypes,
  params: MailParams,
  ...emptyBody,
  response: Mail,
  errors: ['mail_not_movable'],
  emits: rulingKinds,
  happenings: ['mail_quarantined'],
  summary: 'Quarantine a mail',
  description:
    'Removes the comment of the mail from its ticket. Documents and the rest of the thread remain. A ticket or lead that the mail opened also remains, with the text of the mail in its description or notes. Change or delete this record to remove the text. Only callers with readMails read the mail then.',
  read: ({ account, params }) => readMailToRule(account, params.mailId),
  decide: async (request, found) => {
    requireMayRule(request.principal, found, ['received', 'held']);
    const { after, writes, events } = await quarantineMail(request, found);
    return { response: mails.show(after), writes, events };
  },
});
