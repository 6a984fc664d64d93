import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime from 'postal-mime';
import type { ReceivedMessage } from '../../shared/channels/channel.ts';
import { type MessageFolder, messageChannels } from '../../shared/channels/channels.ts';
import { sesMessageId } from '../../shared/correspondence/outgoing/references.ts';
import { type LoopbackServer, startLoopbackServer } from '../administration/loopback-server.ts';
import { writeStored } from '../administration/stored-file.ts';
import type { StoredMessage } from './activity.ts';
import { type Door, refuse } from './door.ts';
import { mailIdentities } from './mail-identities.ts';

interface MailboxOptions {
  /** Returns the path of a folder for messages. */
  folder: (name: MessageFolder) => string;
  onMessage?: (message: StoredMessage) => void;
  /** Default: all requests are accepted. */
  door?: Door;
  /** An SMTP server that also receives every mail. If it rejects a mail, the sender is asked to retry. */
  relay?: SmtpRelay;
}

/** An SMTP server on loopback. */
export interface SmtpRelay {
  host: string;
  port: number;
}

/**
 * Starts an HTTP server on 127.0.0.1 that replaces the services of all channels with messages. Stores each message as a
 * file instead of sending the message: a mail as `*.eml`, any other message as `*.txt`. Also replaces the identities of SES.
 * Rejects all other requests.
 */
export async function startMailbox({
  folder,
  onMessage = () => {},
  door = async () => undefined,
  relay,
}: MailboxOptions): Promise<LoopbackServer> {
  const standIns = messageChannels.map(({ standIn }) => ({ ...standIn, path: folder(standIn.folder) }));
  for (const { path } of standIns) mkdirSync(path, { recursive: true, mode: 0o700 });
  const smtp = relay && createTransport({ ...relay, secure: false, ignoreTLS: true });

  const identities = mailIdentities();
  /** Stores the message in a request. The file name starts with the time, without colons, which some file systems reject. */
  async function store(request: { method: string; path: string; body: string }) {
    const identity = identities(request);
    if (identity) return identity;
    const id = randomUUID();
    for (const { folder: kind, path, read, response } of standIns) {
      const message: ReceivedMessage | undefined = read(request);
      if (!message) continue;
      const { text } = message;
      const to = message.to.join(', ');
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${id}`;
      const isMail = message.subject !== undefined;
      const file = join(path, `${name}.${isMail ? 'eml' : 'txt'}`);
      const content = isMail ? await composed(message, id) : `To: ${to}\n\n${text}\n`;
      if (isMail && smtp) {
        const rejection = await rejectionOf(
          smtp.sendMail({ envelope: { from: message.from, to: message.to }, raw: content }),
        );
        if (rejection !== undefined) return failure(400, 'MessageRejected', rejection);
      }
      writeStored(file, content);
      onMessage({ kind, id, to, file, ...(isMail && { subject: await subjectOf(message) }) });
      return { status: 200, ...response(id) };
    }
    return failure(404, 'NotFoundException', 'Only the requests that send messages are supported.');
  }

  return startLoopbackServer(async (request, response) => {
    const refusal = await door(request);
    if (refusal) return refuse(response, refusal);
    textOf(request)
      .then((body) => store({ method: request.method ?? '', path: request.url ?? '', body }))
      .catch((error) => {
        console.error('The mailbox failed:', error);
        return failure(500, 'InternalFailure', 'The mailbox failed.');
      })
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body));
  });
}

const composed = async (message: ReceivedMessage, id: string): Promise<Buffer> =>
  message.raw
    ? withMessageId(message.raw, sesMessageId(id))
    : new MailComposer({ ...message, date: new Date(), messageId: `<${id}@local>` }).compile().build();

/** Replaces the Message-ID of a MIME message, as SES does. */
function withMessageId(raw: Buffer, messageId: string): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw
    .toString('latin1', 0, end)
    .replace(/^Message-ID:.*(?:\r\n[ \t].*)*$/im, `Message-ID: ${messageId}`);
  return Buffer.concat([Buffer.from(head, 'latin1'), raw.subarray(end)]);
}

/** Returns the response of an SMTP server that rejects a mail for good. Throws other errors, after which the sender retries. */
const rejectionOf = (sending: Promise<unknown>): Promise<string | undefined> =>
  sending.then(
    () => undefined,
    (error: Error & { responseCode?: number }) => {
      if ((error.responseCode ?? 0) < 500) throw error;
      return error.message;
    },
  );

const subjectOf = async ({ raw, subject = '' }: ReceivedMessage): Promise<string> =>
  raw ? ((await PostalMime.parse(raw)).subject ?? '') : subject;

/** The environment variables of functions that send their messages to a mailbox with this address. */
export const mailboxVariables = (endpoint: string): Record<string, string> =>
  Object.fromEntries(messageChannels.map(({ standIn: { variable } }) => [variable, endpoint]));

const failure = (status: number, code: string, message: string) => ({
  status,
  type: 'application/json',
  body: JSON.stringify({ message, __type: code, code }),
});
