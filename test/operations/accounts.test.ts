import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import { exportAccount } from '../../infra/operations/export-account.ts';
import { accountKey, listedAccountAcrossAccountsKey } from '../../shared/accounts/keys.ts';
import { deleteAll, putAll } from '../../shared/table/batch-write.ts';
import { readTenantPartition } from '../../shared/table/keys.ts';
import { getItem } from '../../shared/table/read.ts';
import { childAccount } from '../harness/child-account.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { documentedMerchant } from './filled-account.ts';

const list = operatorsCommand('accounts', 'list');
const stats = operatorsCommand('accounts', 'stats');
const local = ['--stage', 'local'];

test('accounts list shows every account with its users and its last event', async () => {
  expect(await list.here(...local)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^account +name .*\n$/),
  });
  const [acme, other] = [await tenant(), await tenant()];
  await member(acme);
  const [created = '', , lastOfAcme = ''] = [
    await createdAtOf(acme.accountId),
    ...(await lastEvents(other.accountId, acme.accountId)),
  ];
  const { code, stdout } = await list.asProcess(...local);
  const lines = stdout.trimEnd().split('\n');
  expect([code, lines.length]).toEqual([0, 3]);
  expect(lines[0]).toMatch(/^account +name +created +users +last event +parent +erased after$/);
  expect(lines.find((line) => line.startsWith(acme.accountId))?.split(/ {2,}/)).toEqual([
    acme.accountId,
    'Tenant 1',
    created,
    '2',
    lastOfAcme,
    '-',
    '-',
  ]);
  const data = JSON.parse((await list.here(...local, '--json')).stdout);
  expect(data.accounts).toHaveLength(2);
  expect(data.accounts).toContainEqual({
    id: acme.accountId,
    name: 'Tenant 1',
    createdAt: created,
    users: 2,
    lastEventAt: lastOfAcme,
  });
  for (const secret of [acme.apiKey, acme.apiSecret, acme.adminEmail]) expect(stdout).not.toContain(secret);
});

test('accounts list shows the time of the newest event', async () => {
  const { accountId, directKey } = await tenant();
  clock.advance(3_600_000);
  await directKey.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  const times = (await storedEvents(accountId)).map(({ occurredAt }) => String(occurredAt)).sort();
  expect(times[0]).not.toBe(times.at(-1));
  const data = JSON.parse((await list.here(...local, '--json')).stdout);
  expect(data.accounts).toContainEqual(expect.objectContaining({ id: accountId, lastEventAt: times.at(-1) }));
});

test('accounts list shows the parent of a child account', async () => {
  const parent = await tenant();
  const { accountId: id } = await childAccount(parent);
  const data = JSON.parse((await list.here(...local, '--json')).stdout);
  expect(data.accounts).toContainEqual(expect.objectContaining({ id, parentAccountId: parent.accountId }));
});

test('an account whose directory item is left over from an erasure is not listed', async () => {
  const key = listedAccountAcrossAccountsKey((await tenant()).accountId);
  const gone = { ...key, sk: 'acc_gone', type: 'listed-account', accountId: 'acc_gone' };
  await putAll([gone]);
  const { code, stdout } = await list.here(...local);
  await deleteAll([gone]);
  expect([code, stdout.includes('acc_gone')]).toEqual([0, false]);
});

async function createdAtOf(account: Parameters<typeof accountKey>[0]): Promise<string> {
  return String((await getItem(accountKey(account)))?.createdAt);
}

async function lastEvents(...accounts: string[]): Promise<string[]> {
  return Promise.all(
    accounts.map(async (account) => String((await storedEvents(account)).at(-1)?.occurredAt)),
  );
}

test('accounts stats counts as many records of each kind as an export, and counts all items of the account', async () => {
  const acme = await tenant();
  const stranger = await tenant();
  await documentedMerchant(acme);
  await acme.admin.ok(createWebhook, { body: { url: 'http://127.0.0.1:9/', events: ['lead_created'] } });
  for (const of of [acme, stranger])
    await of.admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  await drain();
  const exported = exportAccount(acme.accountId);
  let step = await exported.next();
  while (!step.done) step = await exported.next();

  const data = JSON.parse((await stats.here('--account', acme.accountId, ...local, '--json')).stdout);
  const counts = Object.fromEntries(
    Object.entries<{ count: number }>(data.kinds).map(([kind, { count }]) => [kind, count]),
  );
  const { derived, ...records } = counts;
  expect(records).toEqual(step.value.counts);
  expect(derived).toBeGreaterThan(5);
  const own = (await scanTable()).filter(({ pk }) => readTenantPartition(pk)?.account === acme.accountId);
  expect(data.items.count).toBe(own.length);
  expect(data.items.bytes).toBe(own.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0));
  expect(data.files).toEqual({ count: 1, bytes: '%PDF-1.7\nA scan.\n'.length });
  expect(data.openWork).toEqual({
    webhooks: 1,
    mail: 0,
    texts: 0,
    customerMails: 0,
    jobs: 0,
    residualJobs: 0,
    seals: 1,
  });
  const events = (await storedEvents(acme.accountId)).map(({ occurredAt }) => String(occurredAt)).sort();
  expect([data.firstEventAt, data.lastEventAt]).toEqual([events[0], events.at(-1)]);

  const { code, stdout } = await stats.here('--account', acme.accountId, ...local);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^kind +count +size\n/);
  expect(stdout).toMatch(/^lead +1 +1 KB$/m);
  expect(stdout).toContain(`\nAll items: ${own.length}, `);
  expect(stdout).toContain(
    '\nOpen work items: 1 webhook deliveries, 0 mails, 0 text messages, 0 mails to customers, 0 jobs, 0 jobs of residuals, 1 seals\n',
  );
  expect(stdout).not.toContain('Byron');
});

test('accounts stats reports an unknown account with exit code 1', async () => {
  expect(await stats.here('--account', 'acc_nowhere', ...local)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No account acc_nowhere in this table.\n',
  });
});
