import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { outcomeOf, type SendOutcome, senderRefused } from './send-outcome.ts';

/** A mail as it goes out. Nothing that a user typed is markup in `html`. */
export interface Mail {
  to: string;
  /** One line. */
  subject: string;
  text: string;
  html: string;
}

/** Milliseconds for one call. An answer that takes longer is an unknown outcome. */
const longest = 10_000;

let client: SESv2Client | undefined;
/** Tried once: what becomes of a failure is for the work queue to say, which keeps count. */
const ses = (): SESv2Client => {
  client ??= new SESv2Client({ maxAttempts: 1 });
  return client;
};

/**
 * Hands a mail to SES, from the stage's `mailFrom`. SES leaves out addresses on its own suppression list, and writes the
 * headers; we say that no person wrote it, so that no other machine answers. RFC 3834.
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
