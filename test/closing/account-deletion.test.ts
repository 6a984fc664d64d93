import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import schedule from '../../events/schedules/account-closings.ts';
import deleteAccount from '../../functions/accounts/delete-account.ts';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import listChildAccounts from '../../functions/accounts/list-child-accounts.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import readAccountExport from '../../functions/accounts/read-account-export.ts';
import reopenAccount from '../../functions/accounts/reopen-account.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import { exportAccount } from '../../infra/operations/export-account.ts';
import { readExport } from '../../infra/operations/read-export.ts';
import { listedAccounts } from '../../shared/accounts/directory.ts';
import { closings } from '../../shared/closing/store.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { childAccount } from '../harness/child-account.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { killAt } from '../harness/kill.ts';
import { passTime } from '../harness/pass-time.ts';
import { eventsAbout, scanTable, storedEvents } from '../harness/raw-table.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import { asTest, watchWire } from '../harness/wire.ts';
import { documentedMerchant, fillAccount } from '../operations/filled-account.ts';

const day = 86_400_000;
const canary = 'canary5310';
const nameOf = async ({ admin, accountId: id }: Tenant) =>
  (await admin.ok(readAccount, { params: { id } })).name;
const close = async (owner: Tenant, confirmName: string) =>
  owner.admin.call(deleteAccount, { params: { id: owner.accountId }, query: { confirmName } });
const closed = async (owner: Tenant) => expect((await close(owner, await nameOf(owner))).status).toBe(200);
const reopen = (owner: Tenant) => owner.admin.call(reopenAccount, { params: { id: owner.accountId } });

/** Runs the schedule at the time of the test's clock. */
const run = () => runSchedule(schedule, clock.now());
/** Runs the schedule every minute until the closing of the account is removed. */
async function runUntilErased({ accountId }: { accountId: AccountId }): Promise<void> {
  for (let runs = 0; await closings.find(accountId); runs++) {
    expect(runs).toBeLessThan(12);
    await run();
    clock.advance(61_000);
  }
}
/** The proof of the erasure of an account. */
const proofOf = async ({ accountId }: Pick<Tenant, 'accountId'>) =>
  (await closings.listErased()).find(({ account }) => account === accountId);

let acme: Tenant;
let globex: Tenant;
let children: AccountId[];
beforeAll(async () => {
  [acme, globex] = [await tenant(), await tenant()];
  await fillAccount(acme, canary);
  const { data } = await acme.admin.ok(listChildAccounts);
  children = data.map(({ id }) => id);
  for (const { id, name: confirmName } of data)
    await acme.admin.ok(deleteAccount, { params: { id }, query: { confirmName } });
  await documentedMerchant(globex);
  await drain();
});

async function downloaded(owner: Tenant): Promise<Buffer> {
  const { status, parts } = await owner.admin.ok(readAccountExport, { params: { id: owner.accountId } });
  expect(status).toBe('ready');
  const bytes = await Promise.all(
    parts.map(async ({ url }) => Buffer.from(await (await fetch(url)).arrayBuffer())),
  );
  expect(bytes.map(({ length }) => length)).toEqual(parts.map(({ size }) => size));
  return Buffer.concat(bytes);
}

async function recordsOf(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Map<string, unknown>> {
  const records = new Map<string, unknown>();
  await readExport(Readable.from(source), ({ kind, parent, id, record }) => {
    records.set(JSON.stringify([kind, parent, id]), record);
  });
  return records;
}

describe('DELETE /accounts/{id}', () => {
  test('is rejected for another name, for API keys and for another account', async () => {
    const wrong = await close(acme, 'Other');
    expect(wrong).toMatchObject({ status: 400, body: { details: [{ field: 'confirmName' }] } });
    const confirmName = await nameOf(acme);
    const sent = { params: { id: acme.accountId }, query: { confirmName } };
    expect(await acme.key.call(deleteAccount, sent)).toMatchObject({ body: { error: 'administrator_only' } });
    expect(await globex.admin.call(deleteAccount, sent)).toMatchObject({ status: 404 });
    expect(await acme.admin.ok(readAccount, { params: { id: acme.accountId } })).not.toHaveProperty(
      'closedAt',
    );
  });
});

describe('a closed account', () => {
  const mails = async (wanted: string) =>
    (await scanTable()).filter(
      ({ type, pk, status }) =>
        type === 'work-item' && pk === `ACCOUNT#${acme.accountId}#WORKQUEUE#MAIL` && status === wanted,
    ).length;
  const waitingMails = () => mails('waiting');
  const deliveredMails = () => mails('delivered');
  let delivered: number;
  let records: Map<string, unknown>;

  beforeAll(async () => {
    records = await recordsOf(
      Readable.from(exportAccount(acme.accountId)).map((line: string) => Buffer.from(line)),
    );
    expect(records.size).toBeGreaterThan(100);
    delivered = await deliveredMails();
    await acme.admin.ok(createLead, {
      query: { skipTeamAndSourceRequirement: true },
      body: { firstName: 'Grace', lastName: 'Hopper' },
    });
  });

  test('two concurrent deletions close the account once', async () => {
    const confirmName = await nameOf(acme);
    const statuses = (await Promise.all([close(acme, confirmName), close(acme, confirmName)])).map(
      ({ status, body }) => [status, (body as { error?: string }).error],
    );
    expect(statuses.sort()).toEqual([
      [200, undefined],
      [403, 'account_closed'],
    ]);
    const events = (await eventsAbout(acme.accountId, acme.accountId)).filter(
      ({ kind }) => kind === 'account_deleted',
    );
    expect(events).toHaveLength(1);
    const { closedAt, erasesAt } = await acme.admin.ok(readAccount, { params: { id: acme.accountId } });
    expect(Date.parse(String(erasesAt)) - Date.parse(String(closedAt))).toBe(30 * day);
    expect(events[0]).toMatchObject({ data: { erasesAt }, subject: { type: 'account', id: acme.accountId } });
  });

  test('rejects every request except reading it, its export and its reopening', async () => {
    for (const caller of [acme.admin, acme.key, acme.directKey])
      for (const response of [await caller.call(listLeads), await caller.call(listTeams)])
        expect(response).toMatchObject({ status: 403, body: { error: 'account_closed' } });
    const patch = { params: { id: acme.accountId }, body: { name: 'New' } };
    expect(await acme.admin.call(updateAccount, patch)).toMatchObject({ body: { error: 'account_closed' } });
    expect((await acme.key.call(readAccount, { params: { id: acme.accountId } })).status).toBe(403);
    expect((await acme.admin.ok(listAccounts)).data).toMatchObject([{ accountId: acme.accountId }]);
    expect(await globex.admin.call(listLeads)).toMatchObject({ status: 200 });
  });

  test('its export contains the same records as the export of an operator', async () => {
    expect(await acme.admin.ok(readAccountExport, { params: { id: acme.accountId } })).toMatchObject({
      status: 'preparing',
      parts: [],
    });
    clock.advance(1000);
    await run();
    const exported = await recordsOf([await downloaded(acme)]);
    const expected = await recordsOf(
      Readable.from(exportAccount(acme.accountId)).map((line: string) => Buffer.from(line)),
    );
    expect(exported).toEqual(expected);
    for (const [name, record] of records)
      if (!/^\["(account|work|mail|webhook_delivery)/.test(name))
        expect(exported.get(name), name).toEqual(record);
  });

  test('its work waits, and continues after the account is reopened', async () => {
    // The mails about the lead that was created right before the deletion.
    await drain();
    const waiting = await waitingMails();
    expect(waiting).toBeGreaterThan(0);
    expect(await deliveredMails()).toBe(delivered);
    expect((await reopen(acme)).body).not.toHaveProperty('closedAt');
    expect(await closings.find(acme.accountId)).toBeUndefined();
    expect(await acme.admin.call(readAccountExport, { params: { id: acme.accountId } })).toMatchObject({
      status: 404,
    });
    expect((await reopen(acme)).status).toBe(200);
    expect(await acme.admin.call(listLeads)).toMatchObject({ status: 200 });
    expect(await acme.key.call(listLeads)).toMatchObject({ status: 200 });
    await passTime(2 * 60_000);
    expect(await waitingMails()).toBeLessThan(waiting);
    expect(await deliveredMails()).toBeGreaterThan(delivered);
    const kinds = (await storedEvents(acme.accountId)).map(({ kind }) => String(kind));
    const ofSystem = ['not_found', 'cron_triggered'];
    expect(kinds.filter((kind) => !ofSystem.includes(kind)).at(-1)).toBe('account_updated');
    const now = await recordsOf(
      Readable.from(exportAccount(acme.accountId)).map((line: string) => Buffer.from(line)),
    );
    expect([...records.keys()].filter((name) => !now.has(name))).toEqual([]);
  });

  test('is erased after 30 days, and the proof remains', async () => {
    await closed(acme);
    clock.advance(1000);
    await run();
    const { sha256 } = await acme.admin.ok(readAccountExport, { params: { id: acme.accountId } });
    clock.advance(30 * day - 3000);
    await run();
    const { adminEmail: email, adminPassword: password } = acme;
    const admin = client({
      'x-account-id': acme.accountId,
      authorization: await signIn({ email, password }),
    });
    await admin.ok(readAccount, { params: { id: acme.accountId } });
    clock.advance(3000);
    const others = async () =>
      (await scanTable()).filter(({ pk }) => pk.startsWith(`ACCOUNT#${globex.accountId}#`));
    const before = await others();
    for (const accountId of [acme.accountId, ...children]) await runUntilErased({ accountId });
    const proof = await proofOf(acme);
    expect(proof).toMatchObject({
      account: acme.accountId,
      closedBy: acme.adminEmail,
      exportSha256: sha256,
      finalCheck: { items: 0, files: 0 },
      removed: { users: expect.any(Number), files: expect.any(Number) },
      lastSeal: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(proof?.removed.items.lead).toBeGreaterThan(0);
    const left = (await scanTable()).filter((item) => JSON.stringify(item).includes(acme.accountId));
    // The proofs of the account and of its child accounts.
    expect(left.map(({ type }) => type)).toEqual([acme.accountId, ...children].map(() => 'erased-account'));
    // A proof contains the name of the account.
    const remaining = (await scanTable()).filter(({ type }) => type !== 'erased-account');
    expect(JSON.stringify(remaining)).not.toContain(canary);
    expect(await listedAccounts()).not.toContain(acme.accountId);
    expect(await others()).toEqual(before);
    expect((await admin.call(reopenAccount, { params: { id: acme.accountId } })).status).toBe(401);
  });
});

describe('a webhook that is created while its account is deleted', () => {
  const create = (owner: Tenant) =>
    owner.admin.call(createWebhook, {
      body: { url: 'https://hooks.example.com/', events: ['lead_created'] },
    });

  test('is stopped with the account', async () => {
    const owner = await tenant();
    beforeNextTransaction(() => asTest(() => create(owner)));
    await closed(owner);
    const states = (await scanTable()).filter(
      ({ type, pk }) => type === 'work-queue' && pk.startsWith(`ACCOUNT#${owner.accountId}#`),
    );
    expect(states.filter(({ pk }) => pk.includes('#WEBHOOK#'))).toHaveLength(1);
    expect(states.map((state) => state.closed)).toEqual(Array(9).fill(true));
  });

  test('is refused if the deletion is first', async () => {
    const owner = await tenant();
    const confirmName = await nameOf(owner);
    beforeNextTransaction(() => asTest(() => close(owner, confirmName)));
    expect(await create(owner)).toMatchObject({ status: 403, body: { error: 'account_closed' } });
  });
});

describe('the reopening and the erasure of an account', () => {
  async function closedFor30Days(): Promise<Tenant> {
    const owner = await tenant();
    await closed(owner);
    clock.advance(1000);
    await run();
    clock.advance(30 * day);
    const { accountId, adminEmail: email, adminPassword: password } = owner;
    const authorization = await signIn({ email, password });
    return { ...owner, admin: client({ 'x-account-id': accountId, authorization }) };
  }
  /** Runs `first` right before the first transaction of the other function. */
  function beforeTransactionOf(isOther: (functionName: string) => boolean, first: () => Promise<unknown>) {
    let [started, result]: [boolean, Promise<unknown> | undefined] = [false, undefined];
    return watchWire({
      before({ operation, invocation }) {
        const applies = operation === 'TransactWriteItems' && isOther(invocation?.functionName ?? '');
        if (!applies || started) return undefined;
        started = true;
        result = asTest(first);
        return result.then(() => undefined);
      },
    });
  }

  test('that are concurrent have one winner: the reopening', async () => {
    const owner = await closedFor30Days();
    const stop = beforeTransactionOf(
      (name) => name === 'a schedule',
      async () => expect((await reopen(owner)).status).toBe(200),
    );
    await run();
    stop();
    await run();
    expect(await closings.find(owner.accountId)).toBeUndefined();
    expect((await owner.admin.call(listLeads)).status).toBe(200);
    expect(await listedAccounts()).toContain(owner.accountId);
  });

  test('that are concurrent have one winner: the erasure', async () => {
    const owner = await closedFor30Days();
    const stop = beforeTransactionOf((name) => name !== 'a schedule', run);
    expect((await reopen(owner)).status).toBe(404);
    stop();
    await runUntilErased(owner);
    expect(await proofOf(owner)).toMatchObject({ finalCheck: { items: 0 } });
  });

  test.each(['before', 'after'] as const)(
    'continue if the schedule is killed %s any of its calls',
    async (moment) => {
      const owner = await tenant();
      await documentedMerchant(owner);
      await drain();
      const expected = await recordsOf(
        Readable.from(exportAccount(owner.accountId)).map((line: string) => Buffer.from(line)),
      );
      await closed(owner);
      clock.advance(1000);
      let kills = 0;
      for (let call = 1; (await closings.find(owner.accountId))?.export.sha256 === undefined; call++) {
        if (await killAt(call, moment, run, 'a schedule')) kills += 1;
        clock.advance(1000);
      }
      const exported = await recordsOf([await downloaded(owner)]);
      expect([...expected.keys()].filter((name) => !exported.has(name))).toEqual([]);
      clock.advance(30 * day);
      for (let call = 1; await closings.find(owner.accountId); call++) {
        if (await killAt(call, moment, run, 'a schedule')) kills += 1;
        clock.advance(61_000);
      }
      expect(kills).toBeGreaterThan(10);
      const left = (await scanTable()).filter((item) => JSON.stringify(item).includes(owner.accountId));
      expect(left.map(({ type }) => type)).toEqual(['erased-account']);
    },
  );
});

describe('a child account', () => {
  let parent: Tenant;
  let child: Tenant;
  beforeAll(async () => {
    parent = await tenant();
    child = await childAccount(parent);
  });
  const params = () => ({ id: child.accountId });

  test('must be deleted before its parent', async () => {
    const refused = await close(parent, await nameOf(parent));
    expect(refused).toMatchObject({ status: 400, body: { error: 'account_has_children' } });
  });

  test('that is created during the deletion of its parent keeps the parent open', async () => {
    const owner = await tenant();
    beforeNextTransaction(() => asTest(() => childAccount(owner)));
    const refused = await close(owner, await nameOf(owner));
    expect(refused.body).toMatchObject({ error: 'account_has_children' });
  });

  test('is deleted and reopened by an administrator of its parent, who cannot read its export', async () => {
    const query = { confirmName: await nameOf(child) };
    const { admin: stranger } = await tenant();
    expect((await stranger.call(deleteAccount, { params: params(), query })).status).toBe(404);
    const { erasesAt } = await parent.admin.ok(deleteAccount, { params: params(), query });
    expect((await child.admin.call(listLeads)).body).toMatchObject({ error: 'account_closed' });
    for (const { accountId } of [parent, child])
      expect((await storedEvents(accountId)).at(-1)).toMatchObject({
        kind: 'account_deleted',
        actor: { user: parent.adminEmail },
        subject: { id: child.accountId },
        data: { erasesAt },
      });
    expect((await parent.admin.call(readAccountExport, { params: params() })).status).toBe(404);
    await parent.admin.ok(reopenAccount, { params: params() });
    expect((await child.admin.call(listLeads)).status).toBe(200);
    for (const { accountId } of [parent, child])
      expect((await storedEvents(accountId)).at(-1)).toMatchObject({
        kind: 'account_updated',
        subject: { id: child.accountId },
      });
  });

  test('deletes itself, and then its parent can be deleted', async () => {
    await closed(child);
    expect((await storedEvents(parent.accountId)).at(-1)).toMatchObject({
      kind: 'account_deleted',
      actor: { user: child.adminEmail },
    });
    await closed(parent);
    expect((await reopen(parent)).status).toBe(200);
  });

  test('is not in the list of its parent after its erasure', async () => {
    const children = async () => {
      const { adminEmail: email, adminPassword: password } = parent;
      const authorization = await signIn({ email, password });
      const { data } = await client({ ...parent.admin.headers, authorization }).ok(listChildAccounts);
      return data.map(({ id, status }) => [id, status]);
    };
    expect(await children()).toEqual([[child.accountId, 'closed']]);
    clock.advance(1000);
    await run();
    clock.advance(30 * day);
    await runUntilErased(child);
    expect(await proofOf(child)).toMatchObject({ parentAccountId: parent.accountId });
    expect(await children()).toEqual([]);
    const mentions = (await scanTable()).filter((item) => JSON.stringify(item).includes(child.accountId));
    expect([...new Set(mentions.map(({ type }) => type))].sort()).toEqual(['erased-account', 'event']);
  });
});
