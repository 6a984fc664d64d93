import { addDocuments } from '../../shared/correspondence/incoming/add-documents.ts';
import { type QueuedMail, readNotification } from '../../shared/correspondence/incoming/read-notification.ts';
import { receiveMail } from '../../shared/correspondence/incoming/receive-mail.ts';
import { readSesEvent } from '../../shared/correspondence/outgoing/read-ses-event.ts';
import { recordFeedback } from '../../shared/correspondence/outgoing/record-feedback.ts';
import type { Consumer } from '../consumer.ts';

/**
 * Applies received mails, records the deliveries, bounces and complaints of sent mails, and adds the attachments of released
 * and moved mails to their tickets.
 */
export default {
  queue: 'incoming',
  read: readNotification,
  async handle(message, run) {
    if (message.type === 'received') return receiveMail(message.mail, run);
    if (message.type === 'ruled') return addDocuments(message.mail, run);
    const feedback = message.type === 'sending' ? readSesEvent(message.event) : undefined;
    if (feedback) await recordFeedback(feedback, run);
  },
} satisfies Consumer<QueuedMail>;
