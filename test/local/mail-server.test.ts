import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { afterAll, expect, test } from 'vitest';
import { startMailServer } from '../../infra/local/mail-server.ts';
import { startMailbox } from '../../infra/local/mailbox.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { queueUrlVariable } from '../../shared/events/queues.ts';
import { addressOf, deliverMessages } from '../correspondence/incoming-mail.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { tenant } from '../harness/tenant.ts';

/** The messages that the SMTP server sends to the queue. */
const queued: string[] = [];
const sqs = {
  async send({ input }: { input: { MessageBody: string } }) {
    queued.push(input.MessageBody);
    return {};
  },
} as unknown as SQSClient;
process.env[queueUrlVariable('incoming')] ??= 'http://127.0.0.1/incoming';
const server = await startMailServer({ port: 0, sqs });
afterAll(() => server.stop());
const client = (port: number) => createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });

test('a mail that a client sends by SMTP opens a ticket, with the verdicts in its header', async () => {
  const { accountId: account } = await tenant();
  const to = await addressOf(account);
  const send = (headers: Record<string, string>) =>
    client(server.port).sendMail({
      ...{ from: 'Ada Byron <ada@example.com>', to, subject: 'Kein Beleg für Grüße', text: 'Hello', headers },
      attachments: [{ filename: 'scan.pdf', content: Buffer.from('%PDF-1.7 scan') }],
    });
  await send({});
  await send({ 'X-Local-Verdicts': 'dmarc=FAIL dmarcPolicy=reject' });
  await deliverMessages(queued.splice(0));
  const found = await mails.findMany(
    account,
    (await mails.newest(account, 10)).map(({ id }) => id),
  );
  expect(found).toHaveLength(2);
  expect(found.find(({ state }) => state === 'received')).toMatchObject({
    ...{ subject: 'Kein Beleg für Grüße', text: 'Hello', why: { code: 'new_record' } },
    attachments: [{ fileName: 'scan.pdf', documentId: expect.any(Number) }],
  });
  expect(found.find(({ state }) => state === 'quarantined')).toMatchObject({
    why: { code: 'unauthenticated' },
    verdicts: { dmarc: 'FAIL', dmarcPolicy: 'reject' },
  });
});

test('a relay receives each mail with its envelope, and its final rejection is returned as an error of SES', async () => {
  const relayed: { to: string[]; raw: Buffer }[] = [];
  const relay = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _, callback) {
      if (!address.startsWith('full@')) return callback();
      callback(Object.assign(new Error('The mailbox is full.'), { responseCode: 552 }));
    },
    onData(stream, { envelope }, callback) {
      void buffer(stream).then((raw) => {
        relayed.push({ to: envelope.rcptTo.map(({ address }) => address), raw });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const address = relay.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const folder = temporaryFolder();
  const mailbox = await startMailbox({
    folder: (name) => join(folder, name),
    relay: { host: '127.0.0.1', port },
  });
  const send = (to: string) =>
    fetch(`${mailbox.endpoint}/v2/email/outbound-emails`, {
      method: 'POST',
      body: JSON.stringify({
        ...{ FromEmailAddress: 'support@acme.test', Destination: { ToAddresses: [to] } },
        Content: {
          Raw: {
            Data: Buffer.from(
              `From: support@acme.test\r\nTo: ${to}\r\nMessage-ID: <own@acme.test>\r\nSubject: Hi\r\n\r\nHello`,
            ).toString('base64'),
          },
        },
      }),
    });
  expect((await send('ada@example.com')).status).toBe(200);
  expect(relayed).toMatchObject([{ to: ['ada@example.com'] }]);
  // SES replaces the Message-ID.
  expect(String(relayed[0]?.raw)).toMatch(/^Message-ID: <[\w-]+@email\.amazonses\.com>\r$/m);
  const rejected = await send('full@example.com');
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toMatchObject({ code: 'MessageRejected' });
  await mailbox.stop();
  await new Promise<void>((resolve) => relay.close(() => resolve()));
});
