import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CannotStart } from '../../infra/local/cannot-start.ts';
import { type LocalCredentials, readCredentials } from '../../infra/local/credentials.ts';
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { greeting } from '../../infra/local/greeting.ts';
import { startRunner } from '../../infra/local/runner.ts';
import { readSettings } from '../../infra/local/settings.ts';
import { creations, sigkills } from '../harness/heavy.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { childOf } from './child-of.ts';
import { withCurl } from './curl.ts';
import { originalTable } from './original-table.ts';
import { failedStart, type RunnerProcess, startRunnerProcess, temporaryFolder } from './runner-process.ts';

function credentialsIn(folder: string): LocalCredentials {
  const credentials = readCredentials(join(folder, 'credentials.json'));
  if (!credentials) throw new Error('The runner wrote no credentials');
  return credentials;
}

/** What a caller sends that is signed in by the API key, or as the administrator. */
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
  if (response.status !== 200) throw new Error(`Lead ${id} answers ${response.status}`);
  return (await response.json()) as LeadWithLog;
}

/** Creates leads, ten at a time, until a creation fails; returns those that were acknowledged. */
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
      if (response.status !== 201) throw new Error(`A lead was answered with ${response.status}`);
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

test(`a SIGKILL in the middle of ${creations} creations loses no acknowledged lead and no audit entry, and the second start finds account, key and data`, async () => {
  const folder = temporaryFolder();
  const first = await startRunnerProcess({ DATA_DIR: folder }, { fromSources: true });
  const before = credentialsIn(folder);
  const headers = await signIn(before);
  const half = Math.floor(creations / 2);
  const acknowledged = await createLeads(before.baseUrl, creations, headers, (count) => {
    if (count === half) void first.kill('SIGKILL');
  });
  // Where fewer were acknowledged it still runs, and the count says so.
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
        // The signing secret is the same too, so that the token of before the end is still valid.
        () => readLead(after.baseUrl, id, headers),
        ({ auditLog }) => auditLog.length > 0,
      );
      expect(lead.lastName).toBe(lastName);
      expect(lead.auditLog.map(({ event }) => event)).toEqual(['lead_created']);
    }
  };
  await Promise.all(Array.from({ length: 10 }, worker));
});

test(`ended by SIGKILL between acknowledgement and delivery (rounds: ${sigkills}) every event arrives, and each mail once or twice`, {
  timeout: 900_000,
}, async () => {
  const folder = temporaryFolder();
  const to = await receiver(behaviours.responds(200));
  let runner = await startRunnerProcess({ DATA_DIR: folder });
  // Tokens outlive the process.
  const [headers, session] = [
    await signIn(credentialsIn(folder)),
    await signIn(credentialsIn(folder), 'administrator'),
  ];
  const { adminEmail } = credentialsIn(folder);
  const ask = async <T>(path: string, method = 'GET', body?: unknown): Promise<T> => {
    const url = credentialsIn(folder).baseUrl + path;
    const response = await fetch(url, {
      method,
      headers: session,
      body: body === undefined ? body : JSON.stringify(body),
    });
    expect([path, response.ok]).toEqual([path, true]);
    return (await response.json()) as T;
  };
  await ask('/webhooks', 'POST', { url: to.url, events: ['lead_created'] });
  await ask(`/users/${adminEmail}/notification-preferences`, 'PUT', [
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
    // At once, or wherever the event has come to a moment later.
    await new Promise((resolve) => setTimeout(resolve, ((round - 1) % 5) * 40));
    await runner.kill('SIGKILL');
    if (!delivered().has(id)) undelivered += 1;
    runner = await startRunnerProcess({ DATA_DIR: folder });
  }
  expect(undelivered).toBeGreaterThan(0);

  const missing = async () => [...acknowledged].filter(([id]) => !delivered().has(id));
  const unmailed = async () => [...acknowledged.values()].filter((name) => !mailed().includes(name));
  const none = (found: readonly unknown[]) => found.length === 0;
  // Who was killed at work keeps its lease for a minute, and a trigger message that was lost costs two.
  expect(await eventually(missing, none, 240_000)).toEqual([]);
  expect(await eventually(unmailed, none, 240_000)).toEqual([]);
  const told = await eventually(
    () =>
      ask<{ totalCount: number; data: { data: { subject: { id: number } } }[] }>(
        '/notifications?pageSize=100',
      ),
    ({ totalCount }) => totalCount >= acknowledged.size,
  );
  expect(told.data.map(({ data }) => data.subject.id).sort()).toEqual([...acknowledged.keys()].sort());
  for (const name of acknowledged.values())
    expect(mailed().filter((one) => one === name).length, name).toBeLessThanOrEqual(2);
  const { baseUrl } = credentialsIn(folder);
  for (const id of acknowledged.keys())
    expect((await readLead(baseUrl, id, headers)).auditLog.map(({ event }) => event)).toEqual([
      'lead_created',
    ]);
});

test('a redriven letter survives SIGKILL', async () => {
  const folder = temporaryFolder();
  const first = await startRunnerProcess({ DATA_DIR: folder });
  expect(statSync(join(folder, 'runner.json')).mode & 0o777).toBe(0o600);
  const { baseUrl, accountId } = credentialsIn(folder);
  const headers = await signIn(credentialsIn(folder));
  const [[id] = []] = await createLeads(baseUrl, 1, headers, () => {});
  if (id === undefined) throw new Error('There is no lead');
  const one = (lead: LeadWithLog) => lead.auditLog.length === 1;
  expect(one(await eventually(() => readLead(baseUrl, id, headers), one))).toBe(true);
  // An event of that lead which was given up.
  const given = Array.from({ length: 5 }, (_, n) => ({
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
  for (const event of given) writeFileSync(join(letters, `${event.id}.json`), JSON.stringify(event));

  const run = operatorsCommand('dead-letters');
  process.env.DATA_DIR = folder;
  onTestFinished(() => void delete process.env.DATA_DIR);
  const listed = await run.here('list', '--json');
  expect(JSON.parse(listed.stdout)[0]).toMatchObject({
    queue: 'audit',
    waiting: { messages: 0 },
    deadLetters: { messages: 5 },
  });
  const dry = await run.here('redrive', '--all', '--dry-run');
  expect(dry.stdout.match(/would go to audit/g)).toHaveLength(5);
  expect(readdirSync(letters).every((name) => name.endsWith('.json'))).toBe(true);
  expect(await run.asProcess('redrive', '--queue', 'audit')).toMatchObject({ code: 0, stderr: '' });
  await first.kill('SIGKILL');

  await startRunnerProcess({ DATA_DIR: folder });
  await eventually(
    async () => readdirSync(letters),
    (names) => names.length === 0,
  );
  expect(readdirSync(letters)).toEqual([]);
  const after = credentialsIn(folder);
  const { auditLog } = await readLead(after.baseUrl, id, await signIn(after));
  expect(auditLog.map(({ event }) => event).sort()).toEqual([
    'lead_created',
    ...given.map(({ kind }) => kind),
  ]);
});

/** Does something with the embedded engine on a file. */
async function withEngine<T>(dbPath: string, run: (client: DynamoDBClient) => Promise<T>): Promise<T> {
  const engine = await startDynamoDb({ dbPath });
  const client = new DynamoDBClient({ endpoint: engine.endpoint });
  try {
    return await run(client);
  } finally {
    client.destroy();
    await engine.stop();
  }
}

test('a data folder of the shape before starts with its data, and events not yet relayed are relayed', async () => {
  const [folder, old] = [temporaryFolder(), join(temporaryFolder(), 'table.db')];
  const table = join(folder, 'table.db');
  const TableName = 'merchant-ops-local';
  const first = await startRunnerProcess({ DATA_DIR: folder });
  const headers = await signIn(credentialsIn(folder));
  const [id = 0] = [...(await createLeads(credentialsIn(folder).baseUrl, 1, headers, () => {})).keys()];
  await first.kill('SIGTERM');

  // The same items in a table as it was then. Its stream has all their events, and nobody has seen one.
  const { Items = [] } = await withEngine(table, (client) => client.send(new ScanCommand({ TableName })));
  const unheard = Items.filter(({ sk }) => !sk?.S?.startsWith('AUDIT#'));
  await withEngine(old, async (client) => {
    await client.send(new CreateTableCommand(originalTable(TableName)));
    for (const Item of unheard) await client.send(new PutItemCommand({ TableName, Item }));
  });
  copyFileSync(old, table);

  const second = await startRunnerProcess({ DATA_DIR: folder });
  const { baseUrl } = credentialsIn(folder);
  const heard = await eventually(
    () => readLead(baseUrl, id, headers),
    ({ auditLog }) => auditLog.length > 0,
  );
  expect(heard).toMatchObject({ id, lastName: 'Lead 0', auditLog: [{ event: 'lead_created' }] });
  const [next = 0] = [...(await createLeads(baseUrl, 1, headers, () => {})).keys()];
  const listed = await (await fetch(`${baseUrl}/leads`, { headers })).json();
  expect((listed as { data: { id: number }[] }).data.map((lead) => lead.id)).toEqual([next, id]);
  expect(await second.kill('SIGTERM')).toEqual({ code: 0, stderr: '' });

  const Item = { pk: { S: 'a' }, sk: { S: 'b' }, holderPk: { S: 'somebody' }, holderSk: { S: '1' } };
  const inView = await withEngine(table, async (client) => {
    await client.send(new PutItemCommand({ TableName, Item }));
    const query = {
      TableName,
      IndexName: 'holder',
      KeyConditionExpression: 'holderPk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'somebody' } },
    };
    return (await client.send(new QueryCommand(query))).Items;
  });
  expect(inView).toEqual([Item]);
});

describe('one service, which the last of its tests ends', () => {
  const ends: (() => Promise<void> | void)[] = [];
  let folder: string;
  let runner: RunnerProcess;
  beforeAll(async () => {
    const atEnd = (end: (typeof ends)[number]) => void ends.unshift(end);
    folder = temporaryFolder(atEnd);
    runner = await startRunnerProcess({ DATA_DIR: folder }, { atEnd });
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  test('the printed curl line works as it stands', async () => {
    const line = greeting(credentialsIn(folder), folder, false)
      .split('\n')
      .find((text) => text.includes('curl'));
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', line ?? ''], { env: withCurl() });
    expect(JSON.parse(stdout)).toHaveProperty('token');
  });

  test('a caller may make far more requests in a minute than in the cloud', async () => {
    const { baseUrl } = credentialsIn(folder);
    const headers = await signIn(credentialsIn(folder));
    const statuses = new Map<number, number>();
    const worker = async () => {
      for (let call = 0; call < 65; call++) {
        const { status } = await fetch(`${baseUrl}/permissions`, { headers });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 10 }, worker));
    expect([...statuses]).toEqual([[200, 650]]);
  });

  test('a second runner on the same folder is refused in one sentence, and the first goes on', async () => {
    const second = await failedStart({ DATA_DIR: folder });
    const sentence = `Another runner uses the data folder ${folder}: stop it, or choose another with DATA_DIR.\n`;
    expect(second).toEqual({ code: 1, stderr: sentence });
    const { baseUrl } = credentialsIn(folder);
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
  });

  test('nobody but its owner can read what a service keeps, while it runs and after', async () => {
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
      // The lock is a socket, which holds nothing.
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

test('a taken port is one sentence and exit code 1', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { code, stderr } = await failedStart({ DATA_DIR: temporaryFolder(), PORT: String(port) });
  await new Promise((resolve) => taken.close(resolve));
  expect(code).toBe(1);
  expect(stderr).toBe(
    `Port ${port} is taken: stop what listens there, or set PORT to another, such as PORT=3001.\n`,
  );
});

/** What a start in this process is refused with; it leaves the environment as it was. */
async function refusal(DATA_DIR: string): Promise<unknown> {
  const environment = { ...process.env };
  try {
    const runner = await startRunner(readSettings({ DATA_DIR, PORT: '0' }, []));
    await runner.stop();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
  }
}
/** What the program ends with 1 for, in this sentence alone, as the taken port shows. */
const cannotStart = (sentence: RegExp) =>
  expect.objectContaining({ constructor: CannotStart, message: expect.stringMatching(sentence) });

test.each([
  ['credentials.json', '{"baseUrl":', /^The credentials \S+ are damaged: [^\n]+$/],
  ['signing-secret.json', 'x', /^The signing secret \S+ is damaged: [^\n]+$/],
  ['stream-checkpoint.json', '[]', /^The checkpoint \S+ is damaged: [^\n]+$/],
  ['table.db', 'This is not a database, it is a text file.', /^The data file \S+ is damaged: [^\n]+$/],
  ['table.db', 'SQLite format 3\0 and then nothing of the kind', /^The data file \S+ is damaged: [^\n]+$/],
])(
  'with a damaged %s it cannot start, which is one sentence, and leaves it as it is',
  async (name, text, sentence) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), text);
    expect(await refusal(folder)).toEqual(cannotStart(sentence));
    expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  },
);

test('with a data folder that is a file it cannot start, which is one sentence', async () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, '');
  expect(await refusal(path)).toEqual(cannotStart(/^The data folder \S+\/file cannot be made[^\n]*$/));
});

test('without its engine the runner ends with one sentence', async () => {
  const folder = temporaryFolder();
  const runner = await startRunnerProcess({ DATA_DIR: folder });
  process.kill(childOf(runner.pid, 'dynoxide'), 'SIGKILL');
  const { code, stderr } = await runner.exited;
  expect(code).toBe(1);
  expect(stderr).toMatch(/The DynamoDB engine has ended: [^\n]+\n$/);
});
