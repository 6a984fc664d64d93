import { MailTarget, moveMail } from '../../shared/correspondence/incoming/rule-on-mail.ts';
import { rulingEndpoint } from '../../shared/correspondence/incoming/ruling-endpoint.ts';

export default rulingEndpoint(
  {
    path: '/mails/{mailId}/move',
    body: MailTarget,
    happenings: ['mail_moved'],
    summary: 'Move a mail to another record',
    description:
      'Adds the mail to the thread of the record, and a comment if it is a ticket. Removes the comment of its former ticket. The sender does not become a participant: later mails of the sender are decided as before. Attachments that are no documents yet become documents of the ticket shortly afterwards, while the raw mail exists. Documents of the former ticket remain there.',
    states: ['received', 'held', 'quarantined'],
  },
  (request, found) => moveMail(request, found, request.body),
);
