import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { ReceivedMessage } from '../../shared/channels/channel.ts';
import { type MessageFolder, messageChannels } from '../../shared/channels/channels.ts';
import { type LoopbackServer, startLoopbackServer } from '../administration/loopback-server.ts';
import { writeStored } from '../administration/stored-file.ts';
import type { StoredMessage } from './activity.ts';
import { type Door, refuse } from './door.ts';

interface MailboxOptions {
  /** Returns the path of a folder for messages. */
  folder: (name: MessageFolder) => string;
  onMessage?: (message: StoredMessage) => void;
  /** Default: all requests are accepted. */
  door?: Door;
}

/**
 * Starts an HTTP server on 127.0.0.1 that replaces the services of all channels with messages. Stores each message as a
 * file instead of sending the message: a mail as `*.eml`, any other message as `*.txt`. Rejects all other requests.
 */
export async function startMailbox({
  folder,
  onMessage = () => {},
  door = async () => undefined,
}: MailboxOptions): Promise<LoopbackServer> {
  const standIns = messageChannels.map(({ standIn }) => ({ ...standIn, path: folder(standIn.folder) }));
  for (const { path } of standIns) mkdirSync(path, { recursive: true, mode: 0o700 });

  /** Stores the message in a request. The file name starts with the time, without colons, which some file systems reject. */
  async function store(request: { path: string; body: string }) {
    const id = randomUUID();
    for (const { folder: kind, path, read, response } of standIns) {
      const message: ReceivedMessage | undefined = read(request);
      if (!message) continue;
      const { subject, text } = message;
      const to = message.to.join(', ');
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${id}`;
      const isMail = subject !== undefined;
      const file = join(path, `${name}.${isMail ? 'eml' : 'txt'}`);
      writeStored(file, isMail ? await composed(message, id) : `To: ${to}\n\n${text}\n`);
      onMessage({ kind, id, to, file, ...(isMail && { subject }) });
      return { status: 200, ...response(id) };
    }
    return failure(404, 'NotFoundException', 'Only the requests that send messages are supported.');
  }

  return startLoopbackServer(async (request, response) => {
    const refusal = await door(request);
    if (refusal) return refuse(response, refusal);
    textOf(request)
      .then((body) => store({ path: request.url ?? '', body }))
      .catch((error) => {
        console.error('The mailbox failed:', error);
        return failure(500, 'InternalFailure', 'The mailbox failed.');
      })
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body));
  });
}

const composed = (message: ReceivedMessage, id: string): Promise<Buffer> =>
  new MailComposer({ ...message, date: new Date(), messageId: `<${id}@local>` }).compile().build();

/** The environment variables of functions that send their messages to a mailbox with this address. */
export const mailboxVariables = (endpoint: string): Record<string, string> =>
  Object.fromEntries(messageChannels.map(({ standIn: { variable } }) => [variable, endpoint]));

const failure = (status: number, code: string, message: string) => ({
  status,
  type: 'application/json',
  body: JSON.stringify({ message, __type: code, code }),
});
