import { createHash, randomBytes } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import incoming from '../../events/consumers/incoming.ts';
import type { MailAddressInput } from '../../shared/correspondence/addresses/schema.ts';
import { mailAddresses } from '../../shared/correspondence/addresses/store.ts';
import type { StoredMail } from '../../shared/correspondence/mails/schema.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { base32 } from '../../shared/correspondence/threads/base32.ts';
import { inboundSecretLength } from '../../shared/correspondence/threads/thread-token.ts';
import { putObject } from '../../shared/documents/bucket.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { clock } from '../harness/clock.ts';
import { consumerFunction } from '../harness/drain.ts';
import { asTest } from '../harness/wire.ts';
import { addAddress } from './outgoing-world.ts';

/** Adds a mail address in a verified domain to an account. Returns its inbound address. */
export async function addressOf(
  account: AccountId,
  settings: Partial<MailAddressInput> = {},
): Promise<string> {
  const record = await addAddress(
    { accountId: account },
    {
      address: 'support@acme.test',
      inboundSecret: base32(randomBytes(inboundSecretLength)),
      ...settings,
    },
  );
  return mailAddresses.show(record).inboundAddress ?? '';
}

/** A mail to send. `to` are the envelope recipients. Headers replace the usual ones. */
export interface TestMail {
  to: string | readonly string[];
  from?: string;
  envelopeSender?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The raw mail, instead of headers and body. */
  raw?: string | Uint8Array;
  verdicts?: Readonly<Record<string, string>>;
  receivedAt?: Date;
  id?: string;
}

let sent = 0;

const rawMail = ({ from = 'Ada Byron <ada@example.com>', headers = {}, body = 'Hello' }: TestMail): string =>
  [
    ...Object.entries({
      From: from,
      To: 'support@acme.test',
      Subject: 'The terminal does not print',
      'Message-ID': `<${++sent}.${randomBytes(6).toString('hex')}@example.com>`,
      'Content-Type': 'text/plain; charset=utf-8',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');

/** A file of a mail. Default: a PDF. */
interface TestFile {
  name?: string;
  type?: string;
  content?: string;
}

/** Returns the header and the body of a mail with a text and files. */
export const withFiles = (text: string, files: readonly TestFile[] = [{}]) => ({
  headers: { 'Content-Type': 'multipart/mixed; boundary=x' },
  body: [
    ...['--x', 'Content-Type: text/plain', '', text],
    ...files.flatMap(({ name = 'scan.pdf', type = 'application/pdf', content = '%PDF-1.7 scan' }) => [
      ...['--x', `Content-Type: ${type}; name="${name}"`],
      ...[`Content-Disposition: attachment; filename="${name}"`, 'Content-Transfer-Encoding: base64'],
      ...['', Buffer.from(content).toString('base64')],
    ]),
    '--x--',
  ].join('\r\n'),
});

/** Stores a raw mail as SES does, and returns SES's notification. */
export async function storeMail(mail: TestMail): Promise<string> {
  const id = mail.id ?? randomBytes(20).toString('hex');
  const objectKey = `mail/${id}`;
  const raw = Buffer.from(mail.raw ?? rawMail(mail));
  const sha256 = createHash('sha256').update(raw).digest('hex');
  await asTest(() =>
    putObject(
      objectKey,
      raw,
      { contentType: 'message/rfc822', sha256 },
      { now: clock.now(), deadline: Date.now() + 60_000 },
    ),
  );
  return notificationOf(mail, id, objectKey);
}

const plainAddress = (text: string): string => /<([^>]+)>/.exec(text)?.[1] ?? text;

function notificationOf(mail: TestMail, messageId: string, objectKey: string): string {
  const { from = 'ada@example.com', to, verdicts = {}, receivedAt = clock.now() } = mail;
  const status = (name: string) => ({ status: verdicts[name] ?? 'PASS' });
  const timestamp = receivedAt.toISOString();
  return JSON.stringify({
    notificationType: 'Received',
    mail: {
      timestamp,
      source: mail.envelopeSender ?? plainAddress(from),
      messageId,
      destination: [to].flat(),
    },
    receipt: {
      timestamp,
      recipients: [to].flat(),
      spfVerdict: status('spf'),
      dkimVerdict: status('dkim'),
      dmarcVerdict: status('dmarc'),
      ...(verdicts.dmarcPolicy && { dmarcPolicy: verdicts.dmarcPolicy }),
      spamVerdict: status('spam'),
      virusVerdict: status('virus'),
      action: {
        type: 'S3',
        topicArn: 'arn:aws:sns:us-east-1:123456789012:mail',
        bucketName: 'files',
        objectKey,
      },
    },
  });
}

const consume = consumerFunction(incoming);

/** Delivers messages to the consumer in one batch. Throws if one fails. */
export async function deliverMessages(bodies: readonly string[]): Promise<void> {
  const Records = bodies.map((body, n) => ({ messageId: String(n), body }));
  const { batchItemFailures } = await consume({ Records } as SQSEvent);
  if (batchItemFailures.length > 0) throw new Error('The consumer could not handle every message.');
}

/** Receives a mail. Returns its record, or undefined if the account has none. */
export async function receive(account: AccountId, mail: TestMail): Promise<StoredMail | undefined> {
  const received = { id: randomBytes(20).toString('hex'), receivedAt: clock.now(), ...mail };
  await deliverMessages([await storeMail(received)]);
  return recordOf(account, received);
}

/** Returns the record of a received mail; undefined if the account has none. */
export async function recordOf(
  account: AccountId,
  { id, receivedAt }: Pick<Required<TestMail>, 'id' | 'receivedAt'>,
): Promise<StoredMail | undefined> {
  const found = await mails.findReceived(account, { providerId: id, receivedAt });
  return 'mail' in found ? found.mail : undefined;
}

/** Receives a mail. Throws if the account has no record of it. */
export async function received(account: AccountId, mail: TestMail): Promise<StoredMail> {
  const record = await receive(account, mail);
  if (!record) throw new Error('The account has no record of the mail.');
  return record;
}
