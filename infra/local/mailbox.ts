import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import MailComposer from 'nodemailer/lib/mail-composer';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import { writeStored } from './stored-file.ts';

interface MailboxOptions {
  /** The folders of `*.eml` and `*.txt`. */
  mail: string;
  sms: string;
  now?: () => Date;
}

/** A request as the two services answer it. */
interface Answer {
  status: number;
  type: 'application/json' | 'text/xml';
  body: string;
}

/**
 * Where mail and text messages go on a laptop: SES's (v2) SendEmail and SNS's Publish to a phone number, on 127.0.0.1: what is sent becomes a file and goes nowhere. Anything
 * else is refused in the words of the service.
 */
export async function startMailbox({
  now = () => new Date(),
  ...folders
}: MailboxOptions): Promise<LoopbackServer> {
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keep = (kind: 'mail' | 'sms', id: string, extension: string, content: string | Buffer) =>
    // By time, so that a listing shows them in their order; a colon is no character of a name everywhere.
    writeStored(
      join(folders[kind], `${now().toISOString().replaceAll(':', '-')}-${id}.${extension}`),
      content,
    );

  async function take(request: IncomingMessage): Promise<Answer> {
    const text = await textOf(request);
    const id = randomUUID();
    if (request.method === 'POST' && request.url === '/v2/email/outbound-emails') {
      const mail = readMail(text);
      if (!mail)
        return json(
          400,
          { message: 'Only simple content from one sender is taken here.' },
          'BadRequestException',
        );
      keep(
        'mail',
        id,
        'eml',
        await new MailComposer({ ...mail, date: now(), messageId: `<${id}@local>` }).compile().build(),
      );
      return json(200, { MessageId: id });
    }
    const form = new URLSearchParams(text);
    if (form.get('Action') !== 'Publish' || !form.get('PhoneNumber'))
      return json(404, { message: 'Nothing but mail and text messages is taken here.' }, 'NotFoundException');
    keep('sms', id, 'txt', `To: ${form.get('PhoneNumber')}\n\n${form.get('Message')}\n`);
    return {
      status: 200,
      type: 'text/xml',
      body: `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>${id}</MessageId></PublishResult></PublishResponse>`,
    };
  }

  return startLoopbackServer((request, response) => {
    take(request)
      .catch((error) => {
        console.error('The mailbox failed:', error);
        return json(500, { message: 'The mailbox failed.' }, 'InternalFailure');
      })
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body));
  });
}

const json = (status: number, body: object, error?: string): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify({ ...body, ...(error !== undefined && { __type: error, code: error }) }),
});

interface Part {
  Data?: string;
}

/** The mail in a request to SES, as far as we send any. */
function readMail(text: string) {
  const {
    FromEmailAddress: from,
    Destination,
    Content,
  } = JSON.parse(text) as {
    FromEmailAddress?: string;
    Destination?: { ToAddresses?: string[] };
    Content?: {
      Simple?: {
        Subject?: Part;
        Body?: { Text?: Part; Html?: Part };
        Headers?: { Name: string; Value: string }[];
      };
    };
  };
  const { Subject, Body, Headers = [] } = Content?.Simple ?? {};
  const to = Destination?.ToAddresses;
  if (!from || !to || !Subject?.Data || !Body) return undefined;
  return {
    from,
    to,
    subject: Subject.Data,
    text: Body.Text?.Data,
    html: Body.Html?.Data,
    headers: Headers.map(({ Name: key, Value: value }) => ({ key, value })),
  };
}
