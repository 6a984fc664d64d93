import type { SendEmailRequest } from '@aws-sdk/client-sesv2';
import type { MessageChannel } from './channel.ts';
import { type NotificationMail, notificationMail } from './compose-mail.ts';
import { senderRefused } from './send-outcome.ts';

const part = (Data: string) => ({ Data, Charset: 'UTF-8' });

/**
 * Mail by SES, from the stage's `mailFrom`. SES skips addresses on its suppression list. The header Auto-Submitted
 * (RFC 3834) prevents automatic replies.
 */
export const mail = {
  name: 'email',
  queue: 'MAIL',
  address: { field: 'email', missing: 'no_address' },
  messages: { words: 'mail', counted: 'mail', stats: 'mail' },
  perHour: 30,
  render: notificationMail,

  async send({ subject, text, html }, to, { ses }) {
    const { MAIL_FROM } = process.env;
    if (!MAIL_FROM) return senderRefused('no_sender');
    return ses({
      FromEmailAddress: MAIL_FROM,
      Destination: { ToAddresses: [to] },
      Content: {
        Simple: {
          Subject: part(subject),
          Body: { Text: part(text), Html: part(html) },
          Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
        },
      },
    });
  },

  right: {
    sid: 'SendMail',
    actions: ['ses:SendEmail'],
    // If the identity has a default configuration set, SES also requires the right to use this set (Service
    // Authorization Reference, "Amazon Simple Email Service v2").
    resources: ['mail-from/address', 'mail-from/domain', 'configuration-sets'],
  },

  standIn: {
    variable: 'AWS_ENDPOINT_URL_SESV2',
    folder: 'mail',
    read({ path, body }) {
      if (path !== '/v2/email/outbound-emails') return undefined;
      const { FromEmailAddress: from, Destination, Content } = JSON.parse(body) as Partial<SendEmailRequest>;
      const { Subject, Body, Headers = [] } = Content?.Simple ?? {};
      const to = Destination?.ToAddresses;
      if (from && to && Content?.Raw?.Data)
        return { from, to, subject: '', text: '', raw: Buffer.from(String(Content.Raw.Data), 'base64') };
      if (!from || !to || !Subject?.Data || !Body) return undefined;
      return {
        from,
        to,
        subject: Subject.Data,
        text: Body.Text?.Data ?? '',
        html: Body.Html?.Data,
        headers: Headers.map(({ Name: key = '', Value: value = '' }) => ({ key, value })),
      };
    },
    response: (id) => ({ type: 'application/json', body: JSON.stringify({ MessageId: id }) }),
  },
} as const satisfies MessageChannel<NotificationMail>;
