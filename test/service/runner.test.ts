import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAddresses } from '../../infra/administration/addresses.ts';
import { type LocalCredentials, readCredentials } from '../../infra/administration/credentials.ts';
import { greeting } from '../../infra/local/greeting.ts';
import { nativeEngine } from '../../infra/local/native-engine.ts';
import { childOf } from '../harness/child-of.ts';
import { creations, sigkills } from '../harness/heavy.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { atEndOfAll, temporaryFolder } from '../harness/temporary-folder.ts';
import { withCurl } from './curl.ts';
import { listenersOf } from './listeners-of.ts';
import { failedStart, type RunnerProcess, startRunnerProcess } from './runner-process.ts';

function credentialsIn(folder: string): LocalCredentials {
  const credentials = readCredentials(join(folder, 'credentials.json'));
  if (!credentials) throw new Error('The runner wrote no credentials');
  return credentials;
}

/** Signs in as the API key or the administrator, and returns the headers for further requests. */
async function signIn(stored: LocalCredentials, as: 'key' | 'administrator' = 'key') {
  const { baseUrl, accountId, apiKey, apiSecret, adminEmail, adminPassword } = stored;
  const body = JSON.stringify(
    as === 'key' ? { apiKey, apiSecret } : { email: adminEmail, password: adminPassword },
  );
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${baseUrl}/auth/login`, { method: 'POST', headers, body });
  const { token } = (await response.json()) as { token: string };
  return { ...headers, authorization: `Bearer ${token}`, 'x-account-id': accountId };
}

interface LeadWithLog {
  id: number;
  lastName: string;
  auditLog: { event: string }[];
}

async function readLead(baseUrl: string, id: number, headers: Record<string, string>): Promise<LeadWithLog> {
  const response = await fetch(`${baseUrl}/leads/${id}`, { headers });
  if (response.status !== 200) throw new Error(`Reading lead ${id} returned ${response.status}`);
  return (await response.json()) as LeadWithLog;
}

/**
 * Creates `count` leads, ten at a time. Each of the ten workers stops when a creation fails. Returns the
 * acknowledged leads.
 */
async function createLeads(
  baseUrl: string,
  count: number,
  headers: Record<string, string>,
  created: (n: number) => void,
) {
  const acknowledged = new Map<number, string>();
  const names = Array.from({ length: count }, (_, index) => `Lead ${index}`);
  const worker = async () => {
    for (let lastName = names.pop(); lastName; lastName = names.pop()) {
      const body = JSON.stringify({ firstName: 'Ann', lastName });
      const response = await fetch(`${baseUrl}/leads?skipTeamAndSourceRequirement=true`, {
        method: 'POST',
        headers,
        body,
      });
      const { id } = (await response.json()) as { id: number };
      if (response.status !== 201) throw new Error(`Creating a lead returned ${response.status}`);
      acknowledged.set(id, lastName);
      created(acknowledged.size);
    }
  };
  await Promise.allSettled(Array.from({ length: 10 }, worker));
  return acknowledged;
}

async function eventually<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  milliseconds = 60_000,
): Promise<T> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const value = await read();
    if (holds(value) || Date.now() > deadline) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test(`acknowledged leads, audit entries, the account and its key survive a SIGKILL during ${creations} creations`, async () => {
  const folder = temporaryFolder();
  const first = await startRunnerProcess({ DATA_DIR: folder }, { fromSources: true });
  const before = credentialsIn(folder);
  const headers = await signIn(before);
  const half = Math.floor(creations / 2);
  const acknowledged = await createLeads(before.baseUrl, creations, headers, (count) => {
    if (count === half) void first.kill('SIGKILL');
  });
  // Ends the runner even if fewer than half of the leads were acknowledged. In that case, the next line fails.
  await first.kill('SIGKILL');
  expect(acknowledged.size).toBeGreaterThanOrEqual(half);
  expect(acknowledged.size).toBeLessThan(creations);

  await startRunnerProcess({ DATA_DIR: folder });
  const after = credentialsIn(folder);
  expect({ ...after, baseUrl: '' }).toEqual({ ...before, baseUrl: '' });
  const rest = [...acknowledged];
  const worker = async () => {
    for (let next = rest.pop(); next; next = rest.pop()) {
      const [id, lastName] = next;
      const lead = await eventually(
        // The signing secret is unchanged, so the earlier token is still valid.
        () => readLead(after.baseUrl, id, headers),
        ({ auditLog }) => auditLog.length > 0,
      );
      expect(lead.lastName).toBe(lastName);
      expect(lead.auditLog.map(({ event }) => event)).toEqual(['lead_created']);
    }
  };
  await Promise.all(Array.from({ length: 10 }, worker));
});

test(`a SIGKILL between the response and the delivery loses no event, and no mail is sent more than twice (rounds: ${sigkills})`, {
  timeout: 900_000,
}, async () => {
  const folder = temporaryFolder();
  const to = await receiver(behaviours.responds(200));
  let runner = await startRunnerProcess({ DATA_DIR: folder });
  // Session tokens stay valid when the runner is restarted.
  const [headers, session] = [
    await signIn(credentialsIn(folder)),
    await signIn(credentialsIn(folder), 'administrator'),
  ];
  const { adminEmail } = credentialsIn(folder);
  const send = async <T>(path: string, method = 'GET', body?: unknown): Promise<T> => {
    const url = credentialsIn(folder).baseUrl + path;
    const response = await fetch(url, {
      method,
      headers: session,
      body: body === undefined ? body : JSON.stringify(body),
    });
    expect([path, response.ok]).toEqual([path, true]);
    return (await response.json()) as T;
  };
  await send('/webhooks', 'POST', { url: to.url, events: ['lead_created'] });
  await send(`/users/${adminEmail}/notification-preferences`, 'PUT', [
    { event: 'lead_created', deliveryPref: ['website', 'email'] },
  ]);
  const delivered = () =>
    new Set(
      to.received.map(
        ({ body }) => (JSON.parse(body) as { data: { subject: { id: number } } }).data.subject.id,
      ),
    );
  const mailed = () =>
    readdirSync(join(folder, 'mail')).flatMap(
      (name) =>
        /Subject: Lead created: Ann (Lead \d+-\d+)/.exec(
          readFileSync(join(folder, 'mail', name), 'utf8'),
        )?.[1] ?? [],
    );

  const acknowledged = new Map<number, string>();
  let undelivered = 0;
  for (let round = 1; round <= sigkills; round++) {
    const { baseUrl } = credentialsIn(folder);
    const lastName = `Lead ${round}-0`;
    const response = await fetch(`${baseUrl}/leads?skipTeamAndSourceRequirement=true`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ firstName: 'Ann', lastName }),
    });
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as { id: number };
    acknowledged.set(id, lastName);
    // Kills the runner 0, 40, 80, 120 or 160 ms after the response, which is before, during or after the
    // delivery.
    await new Promise((resolve) => setTimeout(resolve, ((round - 1) % 5) * 40));
    await runner.kill('SIGKILL');
    if (!delivered().has(id)) undelivered += 1;
    runner = await startRunnerProcess({ DATA_DIR: folder });
  }
  expect(undelivered).toBeGreaterThan(0);

  const missing = async () => [...acknowledged].filter(([id]) => !delivered().has(id));
  const unmailed = async () => [...acknowledged.values()].filter((name) => !mailed().includes(name));
  const none = (found: readonly unknown[]) => found.length === 0;
  // The lease of a killed process ends after one minute. A lost trigger message is replaced after two minutes.
  expect(await eventually(missing, none, 240_000)).toEqual([]);
  expect(await eventually(unmailed, none, 240_000)).toEqual([]);
  const notified = await eventually(
    () =>
      send<{ totalCount: number; data: { data: { subject: { id: number } } }[] }>(
        '/notifications?pageSize=100',
      ),
    ({ totalCount }) => totalCount >= acknowledged.size,
  );
  expect(notified.data.map(({ data }) => data.subject.id).sort()).toEqual([...acknowledged.keys()].sort());
  for (const name of acknowledged.values())
    expect(mailed().filter((one) => one === name).length, name).toBeLessThanOrEqual(2);
  const { baseUrl } = credentialsIn(folder);
  for (const id of acknowledged.keys())
    expect((await readLead(baseUrl, id, headers)).auditLog.map(({ event }) => event)).toEqual([
      'lead_created',
    ]);
});

describe('a running service', () => {
  const atEnd = atEndOfAll();
  const folder = temporaryFolder(atEnd);
  let runner: RunnerProcess;
  beforeAll(async () => {
    runner = await startRunnerProcess({ DATA_DIR: folder }, { atEnd });
  });

  test('the curl command that the runner prints returns a token', async () => {
    const line = greeting(credentialsIn(folder), 'token', folder, 2525)
      .split('\n')
      .find((text) => text.includes('curl'));
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', line ?? ''], { env: withCurl() });
    expect(JSON.parse(stdout)).toHaveProperty('token');
  });

  test('a second runner on the same folder exits with an error message, and the first runner continues', async () => {
    const stderr = `The data folder ${folder} is in use by another local service. Stop that service, or set DATA_DIR to another folder.\n`;
    expect(await failedStart({ DATA_DIR: folder })).toEqual({ code: 1, stderr });
    const { baseUrl } = credentialsIn(folder);
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
  });

  test('expired items are deleted at the start after a SIGKILL, and other items are kept', async () => {
    const tableOf = () => {
      const found = readAddresses(join(folder, 'runner.json'));
      if (!found?.accessKey) throw new Error('The runner wrote no addresses');
      const { dynamoDb: endpoint, accessKey: credentials, region, tableName: TableName } = found;
      const client = new DynamoDBClient({ endpoint, credentials, region });
      onTestFinished(() => client.destroy());
      return { client, TableName };
    };
    const keyOf = (sk: string) => ({ pk: { S: 'EXPIRY' }, sk: { S: sk } });
    const before = tableOf();
    for (const [sk, expires] of [
      ['expired', 1],
      ['later', 4_000_000_000],
    ] as const) {
      const Item = { ...keyOf(sk), expiresAtSeconds: { N: String(expires) } };
      await before.client.send(new PutItemCommand({ TableName: before.TableName, Item }));
    }
    await runner.kill('SIGKILL');
    runner = await startRunnerProcess({ DATA_DIR: folder }, { atEnd });
    const { client, TableName } = tableOf();
    const isStored = async (sk: string) =>
      (await client.send(new GetItemCommand({ TableName, Key: keyOf(sk) }))).Item !== undefined;
    await expect.poll(() => isStored('expired')).toBe(false);
    expect(await isStored('later')).toBe(true);
  });

  test('a redriven dead letter survives a SIGKILL', async () => {
    expect(statSync(join(folder, 'runner.json')).mode & 0o777).toBe(0o600);
    const { baseUrl, accountId } = credentialsIn(folder);
    const headers = await signIn(credentialsIn(folder));
    const [[id] = []] = await createLeads(baseUrl, 1, headers, () => {});
    if (id === undefined) throw new Error('There is no lead');
    const one = (lead: LeadWithLog) => lead.auditLog.length === 1;
    expect(one(await eventually(() => readLead(baseUrl, id, headers), one))).toBe(true);
    // Dead letters with events about the lead.
    const deadEvents = Array.from({ length: 5 }, (_, n) => ({
      id: 1_000_000 + n,
      kind: 'lead_updated',
      version: 1,
      accountId,
      actor: { user: 'ann@example.com', apiKey: null },
      subject: { type: 'lead', id, version: 2 + n },
      data: { changes: { company: { from: null, to: `Company ${n}` } } },
      request: { method: 'PUT', path: `/leads/${id}`, headers: {}, ipAddress: '127.0.0.1' },
      occurredAt: new Date().toISOString(),
    }));
    const letters = join(folder, 'dead-letters', 'audit');
    for (const event of deadEvents) writeFileSync(join(letters, `${event.id}.json`), JSON.stringify(event));

    const run = operatorsCommand('dead-letters');
    process.env.DATA_DIR = folder;
    onTestFinished(() => void delete process.env.DATA_DIR);
    // Waits until the queue is empty, because a message is deleted only after its audit entry is written.
    const listed = await eventually(
      async () => JSON.parse((await run.here('list', '--json')).stdout),
      ([audit]) => audit.waiting.messages === 0,
    );
    expect(listed[0]).toMatchObject({
      queue: 'audit',
      waiting: { messages: 0 },
      deadLetters: { messages: 5 },
    });
    const dry = await run.here('redrive', '--all', '--dry-run');
    expect(dry.stdout.match(/would be sent to audit/g)).toHaveLength(5);
    expect(readdirSync(letters).every((name) => name.endsWith('.json'))).toBe(true);
    expect(await run.asProcess('redrive', '--queue', 'audit')).toMatchObject({ code: 0, stderr: '' });
    await runner.kill('SIGKILL');

    runner = await startRunnerProcess({ DATA_DIR: folder }, { atEnd });
    await eventually(
      async () => readdirSync(letters),
      (names) => names.length === 0,
    );
    expect(readdirSync(letters)).toEqual([]);
    const after = credentialsIn(folder);
    const { auditLog } = await readLead(after.baseUrl, id, await signIn(after));
    expect(auditLog.map(({ event }) => event).sort()).toEqual([
      'lead_created',
      ...deadEvents.map(({ kind }) => kind),
    ]);
  });

  test.runIf(nativeEngine())(
    'every engine of a running service refuses unsigned requests and web pages',
    async () => {
      const { baseUrl } = credentialsIn(folder);
      const { smtpPort } = readAddresses(join(folder, 'runner.json')) ?? expect.fail();
      const others = [new URL(baseUrl).host, `127.0.0.1:${smtpPort}`];
      const engines = listenersOf(runner.pid).filter((address) => !others.includes(address));
      // SQS, S3, SES with SNS, and the door of the table.
      expect(engines).toHaveLength(4);
      for (const address of engines) {
        const headers = { origin: 'https://example.com', 'access-control-request-method': 'POST' };
        const responses = [
          await fetch(`http://${address}/`),
          await fetch(`http://${address}/`, {
            method: 'POST',
            body: new URLSearchParams({ Action: 'Publish' }),
          }),
          await fetch(`http://${address}/`, { method: 'OPTIONS', headers }),
        ];
        expect(responses.map(({ status }) => status)).toEqual([403, 403, 403]);
        for (const response of responses)
          expect(response.headers.get('access-control-allow-origin')).toBeNull();
      }
      // A page could send the commands of SMTP in the body of a request.
      const commands = 'HELO page\r\nMAIL FROM:<a@example.com>\r\n';
      const replies = await repliesTo(smtpPort, `POST / HTTP/1.1\r\n\r\n${commands}`);
      expect(replies.filter((code) => code !== '220')).toEqual(['421']);
      // The table engine accepts every request, so no page may find its address.
      const hidden = listenersOf(childOf(runner.pid, 'dynoxide'));
      expect(hidden).toEqual([expect.stringMatching(/^127\.(?!0\.0\.1:)/)]);
    },
  );

  test('only the owner can read the files of a service, while it runs and afterwards', async () => {
    const { baseUrl } = credentialsIn(folder);
    await createLeads(baseUrl, 5, await signIn(credentialsIn(folder)), () => {});
    await eventually(
      async () => existsSync(join(folder, 'stream-checkpoint.json')),
      (written) => written,
    );
    const entries = () => {
      const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => ({
        name,
        status: statSync(join(folder, name)),
      }));
      // Omits the lock, which is a socket without content.
      return all.filter(({ status }) => !status.isSocket());
    };
    const open = () => entries().filter(({ status }) => (status.mode & 0o077) !== 0);
    expect(entries().map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'table.db',
        'table.db-wal',
        'credentials.json',
        'signing-secret.json',
        'stream-checkpoint.json',
        'dead-letters',
      ]),
    );
    expect(open()).toEqual([]);
    expect(entries().map(({ name }) => name)).toContain('runner.json');
    expect(await runner.kill('SIGINT')).toEqual({ code: 0, stderr: '' });
    expect(entries().map(({ name }) => name)).not.toContain('runner.json');
    expect(open()).toEqual([]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });
});

test('a start with a port in use exits with code 1 and an error message', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { code, stderr } = await failedStart({ DATA_DIR: temporaryFolder(), PORT: String(port) });
  await new Promise((resolve) => taken.close(resolve));
  expect(code).toBe(1);
  expect(stderr).toBe(
    `Port ${port} is in use. Stop the other program, or set PORT to another port, for example PORT=3001.\n`,
  );
});

test('the runner exits with an error message when its engine ends', async () => {
  const folder = temporaryFolder();
  const runner = await startRunnerProcess({ DATA_DIR: folder });
  process.kill(childOf(runner.pid, 'dynoxide'), 'SIGKILL');
  const { code, stderr } = await runner.exited;
  expect(code).toBe(1);
  expect(stderr).toMatch(/The DynamoDB engine has ended unexpectedly: [^\n]+\n$/);
});

/** Sends a text to a port, and returns the codes of the replies of SMTP until the server closes the connection. */
async function repliesTo(port: number, sent: string): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  return [...(await text(socket)).matchAll(/^\d{3}/gm)].map(([code]) => code);
}
