import {
  MailTarget,
  mailWriters,
  moveMail,
  readMailToRule,
  requireMayRule,
  rulingKinds,
} from '../../shared/correspondence/incoming/rule-on-mail.ts';
import { Mail, MailParams } from '../../shared/correspondence/mails/schema.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { mailRecordTypes } from '../../shared/correspondence/threads/mail-access.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';

export default endpoint({
  method: 'POST',
  path: '/mails/{mailId}/move',
  anyPermission: mailWriters,
  reach: mailRecordTypes,
  params: MailParams,
  body: MailTarget,
  response: Mail,
  errors: ['mail_not_movable'],
  emits: rulingKinds,
  happenings: ['mail_moved'],
  summary: 'Move a mail to another record',
  description:
    'Adds the mail to the thread of the record, and a comment if it is a ticket. Removes the comment of its former ticket. The sender does not become a participant: later mails of the sender are decided as before. Attachments that are no documents yet become documents of the ticket shortly afterwards, while the raw mail exists. Documents of the former ticket remain there.',
  read: ({ account, params }) => readMailToRule(account, params.mailId),
  decide: async (request, found) => {
    requireMayRule(request.principal, found, ['received', 'held', 'quarantined']);
    const { after, writes, events } = await moveMail(request, found, request.body);
    return { response: mails.show(after), writes, events };
  },
});
