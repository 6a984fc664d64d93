import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import { kindOfKey } from '../../infra/operations/survey-table.ts';
import { accountKey } from '../../shared/accounts/keys.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { userKey } from '../../shared/people/users/keys.ts';
import { dataKeysKey } from '../../shared/security/keys.ts';
import { deleteAll, putAll } from '../../shared/table/batch-write.ts';
import { tableName } from '../../shared/table/client.ts';
import type { Item } from '../../shared/table/item.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { clock } from '../harness/clock.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { sealAll } from '../harness/seal-events.ts';
import keepSecret from '../harness/sensitive/keep-secret.ts';
import { tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';
import { createTableLike, restoredFrom, tableNames, withRecovery } from './fake-recovery.ts';

const drill = (...args: string[]) =>
  operatorsCommand('restore-drills', 'run').here('--stage', 'local', ...args);
/**
 * Runs a drill with a fake recovery that restores these items. The recovery point is `latest`, and the table
 * changes after it.
 */
const drillOf = (restored: Item[], ...args: string[]) =>
  withRecovery({ latest, items: restored, meanwhile: changeTable }, () => drill(...args));

/** After the recovery point, `quiet` does not change, `busy` changes, and `erased` is erased. `busy` has seals. */
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
const before = await tableNames();

const isUserOf = (account: typeof busy.accountId) => (item: Item) => {
  const of = kindOfKey(item);
  return of.kind === 'USER' && of.account === account;
};
const [movedUser] = items.filter(isUserOf(erased.accountId));

/** After the recovery point, erases an account, moves its user to another account, and changes leads. */
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
afterAll(() => clock.reset());

/** Expects that the drill has removed its table. */
async function expectNoTable(): Promise<void> {
  expect(await tableNames()).toEqual(before);
}

test('a drill reports equal tables, decrypted data keys, verified seals and the duration of each part', async () => {
  const { code, stdout, stderr } = await drillOf(items, '--json');
  expect([code, stderr]).toEqual([0, '']);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({
    table: tableName(),
    drillTable: expect.stringMatching(/-drill-\d{8}T\d{6}Z$/),
    at: latest.toISOString(),
    accounts: 3,
    unchanged: 1,
    gone: 1,
    dataKeysOf: quiet.accountId,
    seals: { accountId: busy.accountId, seals: 1, events: 5 },
    differences: [],
  });
  const parts = ['restore', 'count', 'data keys', 'seals', 'removal'];
  expect(result.took).toMatchObject(parts.map((part) => ({ part })));
  expect(result.readUnits).toBeGreaterThan(0);
  expect(result.kinds).toContainEqual({ kind: 'LEAD RECORD', inTable: 4, restored: 3 });
  await expectNoTable();
});

const isLead = (account: typeof quiet.accountId, id: number) => {
  const key = recordKey(account, 'LEAD', id);
  return ({ pk, sk }: Item) => pk === key.pk && sk === key.sk;
};
const without = (gone: (item: Item) => boolean) => (items: Item[]) => items.filter((item) => !gone(item));
const altered = (which: (item: Item) => boolean, change: object) => (items: Item[]) =>
  items.map((item) => (which(item) ? { ...item, ...change } : item));
const anEvent = ({ pk, sk }: Item) => pk === signedUp?.pk && sk === signedUp.sk;
const at = latest.toISOString();

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
])('a drill reports a restored table that %s, and exits with 1', async (_, restored, ...sentences) => {
  const { code, stdout } = await drillOf(restored(items));
  expect(code).toBe(1);
  const differences = stdout.split('\n').filter((line) => /^(Account \S+:|USER:) /.test(line));
  expect(differences).toEqual(
    sentences.map((sentence) => (typeof sentence === 'string' ? sentence : expect.stringMatching(sentence))),
  );
  await expectNoTable();
});

test('with --account a drill checks the keys and seals of that account, and refuses an unknown account', async () => {
  const named = (account: string, ...args: string[]) => drillOf(items, '--account', account, ...args);
  const sealed = JSON.parse((await named(erased.accountId, '--json')).stdout);
  expect(sealed).toMatchObject({ dataKeysOf: null, seals: null });
  const { code, stdout } = await named(quiet.accountId);
  expect([code, stdout.split('\n').slice(-3)]).toEqual([
    0,
    [`The data keys of ${quiet.accountId} can be decrypted.`, `Account ${quiet.accountId} has no seals.`, ''],
  ]);
  expect(await named('acc_0123456789')).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^--account: no account acc_0123456789 in \S+\.\n$/),
  });
  await expectNoTable();
});

const othersListeners = new Set(process.listeners('SIGINT'));
/** Calls the signal handler of the drill, but not the handlers that existed before the drill. */
function interrupt(): void {
  for (const listener of process.listeners('SIGINT')) if (!othersListeners.has(listener)) listener('SIGINT');
}

test('an interrupted or failed drill removes its table', async () => {
  const meanwhile = async () => interrupt();
  const interrupted = await withRecovery({ latest, items, meanwhile }, () => drill());
  expect(interrupted).toMatchObject({ code: 1, stdout: '' });
  expect(interrupted.stderr).toMatch(/^Interrupted\. [^\n]* after its restore[^\n]*\nInterrupted\.\n$/);
  await expectNoTable();
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
  const failed = await withRecovery({ latest, items }, () => drill());
  expect(failed).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^AccessDenied[^\n]*\n$/) });
  const until = scans;
  await sleep(100);
  expect(scans).toBe(until);
  stop();
  await expectNoTable();
});

test('an interrupted drill waits until its restore ends, even after the removal timeout', async () => {
  const real = Date.now;
  let polls = 0;
  const stop = watchWire({
    // The interruption ends the drill's own polling at the first poll. Later polls come from the removal of
    // the table, which waits for the end of the restore.
    answered: ({ invocation, operation, input }) =>
      void (
        invocation &&
        operation === 'DescribeTable' &&
        String(input.TableName).includes('-drill-') &&
        polls++
      ),
  });
  onTestFinished(() => {
    stop();
    vi.restoreAllMocks();
  });
  const meanwhile = async () => {
    interrupt();
    await vi.waitUntil(() => polls > 1);
    vi.spyOn(Date, 'now').mockImplementation(() => real() + 3 * 3_600_000);
    const before = polls;
    await vi.waitUntil(() => polls > before + 1);
  };
  const { code, stderr } = await withRecovery({ latest, items, meanwhile }, () => drill());
  expect([code, stderr]).toEqual([1, expect.stringMatching(/\nInterrupted\.\n$/)]);
  await expectNoTable();
});

test('a drill removes the table of an earlier drill and no other table', async () => {
  const source = tableName();
  const [left, elsewhere, inUse, other] = [
    '20260101T000000Z',
    '20260102T000000Z',
    '20260103T000000Z',
    'notes',
  ].map((end) => `${source}-drill-${end}`) as [string, string, string, string];
  for (const name of [left, elsewhere, inUse, other]) await createTableLike(name);
  const { code, stderr } = await withRecovery({ latest, items, meanwhile: changeTable }, () => drill(), {
    [left]: restoredFrom(source),
    [elsewhere]: restoredFrom('another-table'),
    [inUse]: { ...restoredFrom(source), StreamSpecification: { StreamEnabled: true } },
    [other]: restoredFrom(source),
  });
  expect([code, stderr.split('\n').sort()]).toEqual([
    0,
    [
      '',
      `${left} remained after an earlier drill. Removing it.`,
      `${elsewhere} is kept: it was not restored from this table.`,
      `${inUse} is kept: it has a stream.`,
    ].sort(),
  ]);
  expect((await tableNames()).sort()).toEqual([...before, elsewhere, inUse, other].sort());
});

test('a drill requires point-in-time recovery and an instant within the recovery window', async () => {
  const sentence = `The table ${tableName()} has no point-in-time recovery. Enable it to make restores possible.\n`;
  const none = await withRecovery({ latest: undefined, items }, () => drill());
  expect(none).toEqual({ code: 1, stdout: '', stderr: sentence });
  const late = await withRecovery({ latest, items }, () => drill('--at', '2094-01-01T00:00:00Z'));
  expect(late).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^--at must be from \S+ to \S+, /),
  });
});
