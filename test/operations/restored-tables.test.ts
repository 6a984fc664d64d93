import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { kindOfKey } from '../../infra/operations/survey-table.ts';
import { accountKey } from '../../shared/accounts/keys.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { userKey } from '../../shared/people/users/keys.ts';
import { dataKeysKey } from '../../shared/security/keys.ts';
import { deleteAll, putAll } from '../../shared/table/batch-write.ts';
import { table, tableName } from '../../shared/table/client.ts';
import type { Item } from '../../shared/table/item.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { clock } from '../harness/clock.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { sealAll } from '../harness/seal-events.ts';
import keepSecret from '../harness/sensitive/keep-secret.ts';
import { tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

/** After the restored instant, `quiet` does not change, `busy` changes, and `erased` is erased. `busy` has seals. */
const quiet = await tenant();
const busy = await tenant();
const erased = await tenant();
const lead = { firstName: 'Ada', lastName: 'Byron' };
const { id: kept } = await quiet.key.ok(createLead, { body: lead });
const { id: changed } = await busy.key.ok(createLead, { body: lead });
const { id: untouched } = await busy.key.ok(createLead, { body: lead });
await quiet.key.ok(keepSecret, { body: { record: 'merchant:1', field: 'banking.account', plain: '1' } });
// Seals only this account, unlike the seal schedule.
await sealAll(busy.accountId);
const [signedUp] = await storedEvents(busy.accountId);
clock.advance(20 * 60_000);
const latest = clock.now();
const items = await scanTable();
const at = latest.toISOString();

const isUserOf = (account: typeof busy.accountId) => (item: Item) => {
  const of = kindOfKey(item);
  return of.kind === 'USER' && of.account === account;
};
const [movedUser] = items.filter(isUserOf(erased.accountId));

/** After the restored instant, erases an account, moves its user to another account, and changes leads. */
async function changeTable(): Promise<void> {
  clock.advance(60_000);
  await deleteAll(await storedEvents(erased.accountId));
  if (movedUser) {
    await deleteAll([movedUser]);
    await putAll([{ ...movedUser, ...userKey(busy.accountId, Number(movedUser.id)) }]);
  }
  await putAll([{ ...accountKey(erased.accountId), type: 'account', deletedAt: clock.now().toISOString() }]);
  await busy.key.ok(updateLead, { params: { leadId: changed }, body: { company: 'Harbor Street Coffee' } });
  await busy.key.ok(createLead, { body: lead });
}
await changeTable();
afterAll(() => clock.reset());

const compare = (copy: string, ...args: string[]) =>
  operatorsCommand('restored-tables', 'compare').here(
    '--stage',
    'local',
    '--table',
    copy,
    '--at',
    at,
    ...args,
  );

/** Creates a table with these items, and compares the table of the tests with it. */
async function compareWith(restored: Item[], ...args: string[]) {
  const [source, copy] = [tableName(), `${tableName()}-restored`];
  await createTable(table, copy, { stream: false });
  onTestFinished(async () => void (await table.send(new DeleteTableCommand({ TableName: copy }))));
  process.env.TABLE_NAME = copy;
  expect(await putAll(restored)).toEqual([]);
  process.env.TABLE_NAME = source;
  return compare(copy, ...args);
}

test('a comparison reports equal tables, decrypted data keys and verified seals', async () => {
  const { code, stdout, stderr } = await compareWith(items, '--json');
  expect([code, stderr]).toEqual([0, '']);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({
    accounts: 3,
    unchanged: 1,
    gone: 1,
    dataKeysOf: quiet.accountId,
    seals: { accountId: busy.accountId, seals: 1, events: 5 },
    differences: [],
  });
  expect(result.readUnits).toBeGreaterThan(0);
  expect(result.kinds).toContainEqual({ kind: 'LEAD RECORD', inTable: 4, restored: 3 });
});

const isLead = (account: typeof quiet.accountId, id: number) => {
  const key = recordKey(account, 'LEAD', id);
  return ({ pk, sk }: Item) => pk === key.pk && sk === key.sk;
};
const without = (gone: (item: Item) => boolean) => (items: Item[]) => items.filter((item) => !gone(item));
const altered = (which: (item: Item) => boolean, change: object) => (items: Item[]) =>
  items.map((item) => (which(item) ? { ...item, ...change } : item));
const anEvent = ({ pk, sk }: Item) => pk === signedUp?.pk && sk === signedUp.sk;

const inQuiet = (problem: string) => `Account ${quiet.accountId}: ${problem}`;
const hasDataKeys = ({ pk }: Item) => pk === dataKeysKey(quiet.accountId).pk;
const laterEvent = { ...signedUp, ...eventKey(busy.accountId, Number(signedUp?.sk) * 2) } as Item;
const isQuietLead = isLead(quiet.accountId, kept);
const wrongKeys = { keys: { 1: Buffer.alloc(60).toString('base64') } };

test.each<[string, (items: Item[]) => Item[], ...(string | RegExp)[]]>([
  [
    'lacks an event',
    without(anEvent),
    /^Account \S+: EVENT: 5 events before \S+, but 4 in the restored table\.$/,
    /: Event \d+ of \S+ was removed: it is in seal 1 but not in the log\.$/,
  ],
  [
    'has an altered event',
    altered(anEvent, { kind: 'lead_deleted' }),
    /: EVENT: the 5 events before \S+ differ in the restored table\.$/,
    /: Event \d+ of \S+ was altered after seal 1\.$/,
  ],
  [
    'has a later event',
    (items) => [...items, laterEvent],
    `Account ${busy.accountId}: the restored table has events from after ${at}.`,
    /: Event \d+ of \S+ was backdated: /,
  ],
  [
    'lacks a record of an unchanged account',
    without(isQuietLead),
    inQuiet('LEAD RECORD: 1 items, but 0 in the restored table.'),
  ],
  [
    'has an altered record of an unchanged account',
    altered(isQuietLead, { company: 'Other' }),
    inQuiet('LEAD RECORD: the 1 items differ in the restored table.'),
  ],
  [
    'lacks a record of a changed account',
    without(isLead(busy.accountId, untouched)),
    /: LEAD RECORD: \d items created before \S+, but \d in the restored table\.$/,
  ],
  [
    'lacks a user',
    without(isUserOf(busy.accountId)),
    `USER: 3 items created before ${at}, but 2 in the restored table.`,
  ],
  [
    'lacks data keys',
    without(hasDataKeys),
    inQuiet(`DATAKEYS: 1 items created before ${at}, but 0 in the restored table.`),
  ],
  ['has wrong data keys', altered(hasDataKeys, wrongKeys), /: its data keys cannot be decrypted: /],
])('a comparison reports a restored table that %s, and exits with 1', async (_, restored, ...sentences) => {
  const { code, stdout } = await compareWith(restored(items));
  expect(code).toBe(1);
  const differences = stdout.split('\n').filter((line) => /^(Account \S+:|USER:) /.test(line));
  expect(differences).toEqual(
    sentences.map((sentence) => (typeof sentence === 'string' ? sentence : expect.stringMatching(sentence))),
  );
});

test('with --account the keys and seals of that account are checked, and an unknown account is refused', async () => {
  const { code, stdout } = await compareWith(items, '--account', quiet.accountId);
  expect([code, stdout.split('\n').slice(-3)]).toEqual([
    0,
    [`The data keys of ${quiet.accountId} can be decrypted.`, `Account ${quiet.accountId} has no seals.`, ''],
  ]);
  const copy = `${tableName()}-restored`;
  const erasedOnly = JSON.parse((await compare(copy, '--account', erased.accountId, '--json')).stdout);
  expect(erasedOnly).toMatchObject({ dataKeysOf: null, seals: null });
  expect(await compare(copy, '--account', 'acc_0123456789')).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^--account: no account acc_0123456789 in \S+\.\n$/),
  });
});

test('a table that does not exist and the table of the stage are refused', async () => {
  for (const wrong of [`${tableName()}-absent`, tableName()])
    expect(await compare(wrong)).toEqual({
      code: 2,
      stdout: '',
      stderr: `--table: ${wrong} is not another active table.\n`,
    });
});

test('if the read of a segment fails, all other reads end', async () => {
  const endless = { Items: [], LastEvaluatedKey: { pk: { S: 'a' }, sk: { S: 'a' } } };
  let scans = 0;
  const stop = watchWire({
    before: ({ operation }) => void (operation === 'Scan' && scans++),
    respond: ({ operation, input }) =>
      operation === 'Scan' && input.Segment !== 1 ? { status: 200, output: endless } : undefined,
    fault: ({ operation, input }) =>
      operation === 'Scan' && input.Segment === 1 ? { error: 'AccessDeniedException' } : undefined,
  });
  onTestFinished(stop);
  const failed = await compareWith(items);
  expect(failed).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^AccessDenied[^\n]*\n$/) });
  const until = scans;
  await sleep(100);
  expect(scans).toBe(until);
});
