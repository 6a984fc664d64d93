import { quarantineMail } from '../../shared/correspondence/incoming/rule-on-mail.ts';
import { rulingEndpoint } from '../../shared/correspondence/incoming/ruling-endpoint.ts';
import { emptyBody } from '../../shared/endpoints/empty-body.ts';

export default rulingEndpoint(
  {
    path: '/mails/{mailId}/quarantine',
    ...emptyBody,
    happenings: ['mail_quarantined'],
    summary: 'Quarantine a mail',
    description:
      'Removes the comment of the mail from its ticket. Documents and the rest of the thread remain. A ticket or lead that the mail opened also remains, with the text of the mail in its description or notes. Change or delete this record to remove the text. Only callers with readMails read the mail then.',
    states: ['received', 'held'],
  },
  quarantineMail,
);
