import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { tuneClient } from '../../tune-client.ts';
import { outcomeOf, type SendOutcome, senderRefused } from './send-outcome.ts';

export interface Mail {
  to: string;
  /** One line. */
  subject: string;
  text: string;
  html: string;
}

/** The timeout of a call, in milliseconds. After a timeout, the outcome is unknown. */
const longest = 10_000;

let client: SESv2Client | undefined;
/** The SDK does not retry, because the work queue retries and counts the attempts. */
const ses = (): SESv2Client => {
  client ??= tuneClient(new SESv2Client({ maxAttempts: 1 }));
  return client;
};

/**
 * Sends a mail by SES, from the stage's `mailFrom`. SES skips addresses on its suppression list. The header
 * Auto-Submitted (RFC 3834) prevents automatic replies.
 */
export async function sendMail({ to, subject, text, html }: Mail): Promise<SendOutcome> {
  const { MAIL_FROM } = process.env;
  if (!MAIL_FROM) return senderRefused('no_sender');
  const part = (Data: string) => ({ Data, Charset: 'UTF-8' });
  const command = new SendEmailCommand({
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
  return outcomeOf(ses().send(command, { abortSignal: AbortSignal.timeout(longest) }));
}
