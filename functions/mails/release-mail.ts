import { releaseMail } from '../../shared/correspondence/incoming/rule-on-mail.ts';
import { rulingEndpoint } from '../../shared/correspondence/incoming/ruling-endpoint.ts';
import { emptyBody } from '../../shared/endpoints/empty-body.ts';

export default rulingEndpoint(
  {
    path: '/mails/{mailId}/release',
    ...emptyBody,
    happenings: ['mail_released'],
    summary: 'Release a held or quarantined mail',
    description:
      'A mail in a thread becomes visible in it, and its sender takes part in the thread from then on, unless 50 people already do. A mail without a thread opens a ticket or a lead, as its mail address requires. The allowed attachments of a mail in a ticket become documents shortly afterwards, while the raw mail exists. `attachments` lists them, and why others do not.',
    states: ['held', 'quarantined'],
  },
  releaseMail,
);
