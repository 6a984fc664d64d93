import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { describe, expect, test } from 'vitest';
import { oldestIn } from '../../infra/administration/count-messages.ts';
import { engineDoor, startTableDoor } from '../../infra/local/door.ts';
import { startMailbox } from '../../infra/local/mailbox.ts';
import { startQueues } from '../../infra/local/queues.ts';
import { startS3 } from '../../infra/local/s3.ts';
import { atEndOfAll, temporaryFolder } from '../harness/temporary-folder.ts';

// The doors verify signatures.
process.env.FULL_SIGNATURE = 'yes';

const atEnd = atEndOfAll();
const folder = temporaryFolder(atEnd);
const { AWS_ENDPOINT_URL_DYNAMODB: engine = '', AWS_ACCESS_KEY_ID: accessKeyId = '' } = process.env;
const { TABLE_NAME: TableName } = process.env;
const region = 'us-east-1';
const key = { accessKeyId, secretAccessKey: 'the secret of this start' };
process.env.AWS_SECRET_ACCESS_KEY = key.secretAccessKey;
const door = engineDoor({ key, region });

const table = await startTableDoor(engine, door);
const queues = await startQueues({ door });
const mailbox = await startMailbox({ folder: (name) => join(folder, name), door });
const origin = 'http://localhost:5173';
const s3 = await startS3({
  folder: join(folder, 's3'),
  bucket: 'files',
  region,
  ...key,
  corsOrigins: [origin],
});
for (const server of [table, queues, mailbox, s3]) atEnd(() => server.stop());

/** A request to each engine that succeeds if it is signed. */
const engines = {
  table: {
    endpoint: table.endpoint,
    service: 'dynamodb',
    path: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.DescribeTable',
    },
    body: JSON.stringify({ TableName }),
  },
  queues: {
    endpoint: queues.endpoint,
    service: 'sqs',
    path: '/',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ListQueues' },
    body: '{}',
  },
  mails: {
    endpoint: mailbox.endpoint,
    service: 'ses',
    path: '/v2/email/outbound-emails',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      FromEmailAddress: 'a@example.com',
      Destination: { ToAddresses: ['b@example.com'] },
      Content: { Simple: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hello' } } } },
    }),
  },
  'text messages': {
    endpoint: mailbox.endpoint,
    service: 'sns',
    path: '/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'Action=Publish&PhoneNumber=%2B15555550100&Message=Hello',
  },
  files: { endpoint: s3.endpoint, service: 's3', path: '/files/a.txt', headers: {}, body: 'Hello' },
};
type Engine = keyof typeof engines;
const names = Object.keys(engines) as Engine[];

interface Changes {
  /** Default: unsigned. */
  credentials?: typeof key;
  host?: string;
  /** Added after the signature, as a browser adds headers. */
  added?: Record<string, string>;
}

/** Sends the request to an engine in a new connection, with changes. Returns the status of the response. */
async function statusOf(name: Engine, { credentials, host, added }: Changes): Promise<number | undefined> {
  const { endpoint, service, path, body, headers: own } = engines[name];
  const url = new URL(endpoint);
  const method = name === 'files' ? 'PUT' : 'POST';
  let headers: Record<string, string> = { ...own, host: host ?? url.host };
  if (credentials) {
    const sha256 = Hash.bind(null, 'sha256');
    const signer = new SignatureV4({ service, region, credentials, sha256, uriEscapePath: service !== 's3' });
    headers = (await signer.sign(new HttpRequest({ method, path, headers, body }))).headers;
  }
  const call = request(endpoint, { method, path, agent: false, headers: { ...headers, ...added } });
  call.end(body);
  const [response] = await once(call, 'response');
  response.resume();
  return response.statusCode;
}

const refused: Record<string, Changes> = {
  'an unsigned request': {},
  'a request that is signed with another secret': {
    credentials: { ...key, secretAccessKey: 'another secret' },
  },
  'a request that is signed with another key': { credentials: { ...key, accessKeyId: 'other' } },
  'a request from a page': { credentials: key, added: { origin: 'https://example.com' } },
  'a request from a page without an origin': { credentials: key, added: { origin: 'null' } },
  'a request to another host': { credentials: key, host: 'rebound.example' },
};

describe.each(names)('the engine of %s', (name) => {
  test('accepts a local request that is signed with the key of this start', async () => {
    expect(await statusOf(name, { credentials: key })).toBe(200);
  });

  test.each(Object.entries(refused))('refuses %s', async (_, changes) => {
    expect(await statusOf(name, changes)).toBe(403);
  });
});

test('pages of an allowed origin may send signed requests to S3 only', async () => {
  const statuses = names.map(async (name) => [
    name,
    await statusOf(name, { credentials: key, added: { origin } }),
  ]);
  expect(Object.fromEntries(await Promise.all(statuses))).toEqual({
    table: 403,
    queues: 403,
    mails: 403,
    'text messages': 403,
    files: 200,
  });
});

test('a command reads the age of a message through the door', async () => {
  const sqs = new SQSClient({ endpoint: queues.endpoint, credentials: key });
  const QueueUrl = queues.relayDeadLetterUrl;
  expect(await oldestIn(sqs, QueueUrl)).toEqual({});
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
  expect(await oldestIn(sqs, QueueUrl)).toEqual({ oldestSeconds: expect.any(Number) });
  sqs.destroy();
});

test('the door of the table passes large items and many requests on few connections unchanged', async () => {
  const client = new DynamoDBClient({ endpoint: table.endpoint, credentials: key });
  const items = Array.from({ length: 100 }, (_, n) => ({
    pk: { S: 'DOOR' },
    sk: { S: String(n) },
    text: { S: `${n}`.repeat(n % 10 === 0 ? 100_000 : 1) },
  }));
  await Promise.all(items.map((Item) => client.send(new PutItemCommand({ TableName, Item }))));
  const read = await Promise.all(
    items.map(({ pk, sk }) => client.send(new GetItemCommand({ TableName, Key: { pk, sk } }))),
  );
  expect(read.map(({ Item }) => Item)).toEqual(items);
  client.destroy();
});

test.each([
  ['a repeated header', 'POST / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n'],
  ['a folded header', 'POST / HTTP/1.1\r\nhost: a\r\n b\r\n\r\n'],
  ['a bare line feed', 'POST / HTTP/1.1\r\nhost: a\nx: b\r\n\r\n'],
  ['a space before the colon', 'POST / HTTP/1.1\r\nhost : a\r\n\r\n'],
  ['another version', 'POST / HTTP/1.0\r\nhost: a\r\n\r\n'],
  ['no HTTP', 'EHLO example.com\r\n\r\n'],
  ['an endless head', `POST / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}`],
])('the door of the table refuses a request with %s', async (_, text) => {
  const socket = connect(Number(new URL(table.endpoint).port), '127.0.0.1');
  socket.write(text);
  const [answer] = await once(socket.setEncoding('utf8'), 'data');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  await once(socket, 'close');
});
