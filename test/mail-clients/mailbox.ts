import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ImapFlow } from 'imapflow';
import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime, { type Email } from 'postal-mime';
import { mailboxPassword } from './dovecot.ts';

const run = promisify(execFile);

/** A mail that a customer writes. */
interface WrittenMail {
  to: string;
  subject: string;
  text: string;
  /** The mail to which this is a reply. */
  inReplyTo?: Email;
}

/** A customer with a mail program: a mailbox in Dovecot, and swaks to send mail through Postfix. */
export interface Customer {
  address: string;
  /** Sends a mail, and stores a copy of it in the mailbox. */
  send(mail: WrittenMail): Promise<void>;
  /** All mails that the mailbox received, oldest first, without the copies of sent mails. */
  received(): Promise<Email[]>;
  /** The number of threads of the mailbox (RFC 5256, REFERENCES). */
  threads(): Promise<number>;
  close(): Promise<void>;
}

/** The method of imapflow for commands without a method of their own, which its types omit. */
interface AnyCommand {
  exec(
    command: string,
    words: readonly { type: string; value: string }[],
    options: { untagged: Record<string, (response: { attributes?: unknown[] }) => Promise<void>> },
  ): Promise<{ next(): void }>;
}

/** Opens the mailbox of `user`@`domain`. */
export async function openMailbox(
  user: string,
  { domain, smtpPort, imapPort }: { domain: string; smtpPort: number; imapPort: number },
): Promise<Customer> {
  const address = `${user}@${domain}`;
  const auth = { user, pass: mailboxPassword };
  const imap = new ImapFlow({ host: '127.0.0.1', port: imapPort, secure: false, auth, logger: false });
  await imap.connect();
  await imap.mailboxOpen('INBOX');
  let written = 0;
  return {
    address,
    async send({ inReplyTo, ...mail }) {
      written += 1;
      const raw = await rawMail({
        ...{ ...mail, from: address, messageId: `<turn-${written}.${user}@${domain}>` },
        ...(inReplyTo && {
          inReplyTo: inReplyTo.messageId,
          references: `${inReplyTo.references ?? ''} ${inReplyTo.messageId}`.trim(),
        }),
      });
      await sendWithSwaks({ from: address, to: mail.to, raw, port: smtpPort });
      await imap.append('INBOX', raw, ['\\Seen']);
    },
    async received() {
      await imap.noop();
      const mails: Email[] = [];
      for await (const { source } of imap.fetch('1:*', { source: true }))
        if (source) mails.push(await PostalMime.parse(source));
      return mails.filter(({ from }) => from?.address !== address);
    },
    async threads() {
      let count = 0;
      const words = ['REFERENCES', 'UTF-8', 'ALL'].map((value) => ({ type: 'ATOM', value }));
      const response = await (imap as ImapFlow & AnyCommand).exec('THREAD', words, {
        untagged: {
          THREAD: async ({ attributes }: { attributes?: unknown[] }) => {
            count = attributes?.length ?? 0;
          },
        },
      });
      response.next();
      return count;
    },
    close: () => imap.logout(),
  };
}

const rawMail = (mail: ConstructorParameters<typeof MailComposer>[0]): Promise<Buffer> =>
  new MailComposer(mail).compile().build();

async function sendWithSwaks(mail: { from: string; to: string; raw: Buffer; port: number }): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), 'mail-')), 'data');
  writeFileSync(file, mail.raw);
  await run('swaks', [
    ...['--server', `127.0.0.1:${mail.port}`, '--from', mail.from, '--to', mail.to],
    ...['--data', `@${file}`, '--silent', '2'],
  ]);
}
