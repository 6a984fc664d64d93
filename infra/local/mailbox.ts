import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { SendEmailRequest } from '@aws-sdk/client-sesv2';
import MailComposer from 'nodemailer/lib/mail-composer';
import { type LoopbackServer, startLoopbackServer } from '../administration/loopback-server.ts';
import { writeStored } from '../administration/stored-file.ts';
import type { StoredMessage } from './activity.ts';
import { type Door, refuse } from './door.ts';

interface MailboxOptions {
  /** The folder for mails (`*.eml`). `sms` is the folder for text messages (`*.txt`). */
  mail: string;
  sms: string;
  onMessage?: (message: StoredMessage) => void;
  /** Default: all requests are accepted. */
  door?: Door;
}

interface ServiceResponse {
  status: number;
  type: 'application/json' | 'text/xml';
  body: string;
}

/**
 * Starts an HTTP server on 127.0.0.1 that emulates SendEmail of SES v2, and Publish of SNS to a phone number. Stores
 * each message as a file instead of sending the message. Rejects all other requests.
 */
export async function startMailbox({
  onMessage = () => {},
  door = async () => undefined,
  ...folders
}: MailboxOptions): Promise<LoopbackServer> {
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  /** Stores a message. The file name starts with the time, without colons, because some file systems reject colons. */
  function keep(message: Omit<StoredMessage, 'file'>, content: string | Buffer): void {
    const [folder, extension] = message.kind === 'mail' ? [folders.mail, 'eml'] : [folders.sms, 'txt'];
    const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${message.id}.${extension}`);
    writeStored(file, content);
    onMessage({ ...message, file });
  }

  async function receive(request: IncomingMessage): Promise<ServiceResponse> {
    const text = await textOf(request);
    const id = randomUUID();
    if (request.method === 'POST' && request.url === '/v2/email/outbound-emails') {
      const mail = readMail(text);
      if (!mail)
        return failure(400, 'BadRequestException', 'Only Content.Simple from one sender is supported.');
      const composer = new MailComposer({ ...mail, date: new Date(), messageId: `<${id}@local>` });
      const stored = { kind: 'mail', id, to: mail.to.join(', '), subject: mail.subject } as const;
      keep(stored, await composer.compile().build());
      return json(200, { MessageId: id });
    }
    const form = new URLSearchParams(text);
    const to = form.get('PhoneNumber');
    if (form.get('Action') !== 'Publish' || !to)
      return failure(404, 'NotFoundException', 'Only SendEmail and Publish to a phone number are supported.');
    keep({ kind: 'text', id, to }, `To: ${to}\n\n${form.get('Message')}\n`);
    return {
      status: 200,
      type: 'text/xml',
      body: `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>${id}</MessageId></PublishResult></PublishResponse>`,
    };
  }

  return startLoopbackServer(async (request, response) => {
    const refusal = await door(request);
    if (refusal) return refuse(response, refusal);
    receive(request)
      .catch((error) => {
        console.error('The mailbox failed:', error);
        return failure(500, 'InternalFailure', 'The mailbox failed.');
      })
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body));
  });
}

const json = (status: number, body: object): ServiceResponse => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

const failure = (status: number, code: string, message: string): ServiceResponse =>
  json(status, { message, __type: code, code });

/** Reads the mail in a request to SES. Returns undefined if the mailbox does not support the request. */
function readMail(text: string) {
  const { FromEmailAddress: from, Destination, Content } = JSON.parse(text) as Partial<SendEmailRequest>;
  const { Subject, Body, Headers = [] } = Content?.Simple ?? {};
  const to = Destination?.ToAddresses;
  if (!from || !to || !Subject?.Data || !Body) return undefined;
  return {
    from,
    to,
    subject: Subject.Data,
    text: Body.Text?.Data,
    html: Body.Html?.Data,
    headers: Headers.map(({ Name: key = '', Value: value = '' }) => ({ key, value })),
  };
}
