import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import listLeads from '../../functions/leads/list-leads.ts';
import searchRecords from '../../functions/search/search-records.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { accountKey } from '../../shared/accounts/keys.ts';
import { linkKey } from '../../shared/child-accounts/keys.ts';
import { vanityDomainKey } from '../../shared/domains/keys.ts';
import { eventKey } from '../../shared/events/keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import type { Lead } from '../../shared/sales/leads/schema.ts';
import { tableName } from '../../shared/table/client.ts';
import type { Item } from '../../shared/table/item.ts';
import { digits, listKey, recordKey, tenantPartition } from '../../shared/table/keys.ts';
import { measure } from '../costs/meter.ts';
import { indexedLead } from '../harness/indexed-lead.ts';
import { putRange, setTotal } from '../harness/seed.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

// This table has no stream, because these tests do not need one and a growing stream slows down the engine.
process.env.TABLE_NAME = `${tableName()}-search`;
await createTable(new DynamoDBClient({}), tableName(), { stream: false });

/** The numbers of leads of two accounts. `npm run test:extra -- heavy` compares 1,000 with 100,000. */
const few = 1100;
const many = Number(process.env.SEARCHED_LEADS ?? 2200);
const firstId = 4_000_000_000_000_000;

/**
 * Writes leads with their index entries directly to the table. Every lead has the company `Common Goods`, four of
 * five the stage `contacted`, and three leads have the last name `Rare`.
 */
async function seed({ accountId }: Tenant, amount: number): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  await putRange(0, amount, (n): Item[] => {
    const id = firstId + n;
    const isRare = n % Math.floor(amount / 3) === 0;
    return indexedLead(accountId, id, {
      ...{ createdAt: at, updatedAt: at, company: 'Common Goods' },
      ...{ firstName: `F${n}`, lastName: isRare ? 'Rare' : 'Byron' },
      ...(n % 5 > 0 && { processStage: 'contacted' }),
      ...{ lastContacted: new Date(Date.parse(at) + (n % 1000) * 60_000).toISOString() },
      ...(isRare && { email: 'rare@example.com', company: 'Rare & Sons' }),
    });
  });
  await setTotal(accountId, 'LEAD', amount);
}

/** The leads that changed in the last minute: those that were contacted last, of the oldest 1,000. */
const [firstChanged, changed] = [980, 20];

/** Writes changes of some leads in the last minute, with their events, and as many events about other records. */
async function seedChanges({ accountId }: Tenant): Promise<void> {
  await putRange(firstChanged, firstChanged + changed, (n): Item[] => {
    const [id, now] = [firstId + n, new Date(Date.now() - 30_000 + n)];
    const at = now.toISOString();
    const lead = {
      ...recordKey(accountId, 'LEAD', id),
      ...listKey(accountId, 'LEAD', id),
      ...{ type: 'lead', id, accountId, version: 2, createdAt: at, updatedAt: at, archived: true },
      ...{ firstName: `F${n}`, lastName: 'Changed' },
    };
    const events = [
      { kind: 'lead_archived', subject: { type: 'lead', id, version: 2 } },
      { kind: 'team_updated', subject: { type: 'team', id } },
    ].map((event) => {
      const eventId = mintId(now);
      const envelope = {
        id: eventId,
        version: 1,
        accountId,
        occurredAt: at,
        data: {},
        notes: '.'.repeat(700),
      };
      return { ...envelope, ...event, ...eventKey(accountId, eventId), type: 'event' };
    });
    return [lead, ...events];
  });
}

/** Writes the most child accounts, account types, underwriting rules and domains of an account, and 100 impersonations. */
async function seedShortLists({ accountId }: Tenant): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  await putRange(0, 1000, (n): Item[] => {
    const [id, name] = [firstId + n, `Harbor ${n}`];
    const childId = `acc_${accountId.slice(4, 12)}${String(n).padStart(8, '0')}` as AccountId;
    const record = { id, accountId, version: 1, createdAt: at, updatedAt: at, createdBy: 'ada@example.com' };
    const listed = (noun: Uppercase<string>, scope: string[] = []) => ({
      ...recordKey(accountId, noun, id),
      ...listKey(accountId, noun, id, scope),
    });
    const child = { id: childId, name, version: 1, createdAt: at, updatedAt: at };
    const link = { id, accountId, childId, accountTypeId: id, name, createdAt: at };
    const permissions = allPermissions.slice(0, 20);
    const when = { all: [{ field: 'risk.score', between: { to: n } }, { yes: 'readiness.isComplete' }] };
    const rule = {
      when,
      action: { kind: 'approve' },
      priority: 100,
      mode: 'off',
      ruleVersion: 1,
      archived: false,
    };
    const domain = `harbor-${n}.example.com`;
    const impersonation = { email: 'ada@example.com', reason: `Harbor ${'.'.repeat(100)}`, write: false };
    return [
      ...(n < 900
        ? []
        : [
            {
              ...{ pk: tenantPartition(accountId, 'IMPERSONATION', digits(1)), sk: digits(id) },
              ...{ listPk: tenantPartition(accountId, 'IMPERSONATION'), listSk: digits(id) },
              ...{ type: 'impersonation', ...record, ...impersonation, userId: 1, expiresAt: at },
            },
          ]),
      { ...linkKey(accountId, childId), type: 'child-account', ...link },
      ...(n < 995 ? [] : [{ ...accountKey(childId), type: 'account', ...child }]),
      ...(n < 950
        ? []
        : [
            { ...listed('ACCOUNTTYPE'), type: 'account_type', ...record, name, permissions, limits: {} },
            {
              ...listed('UNDERWRITINGRULE', ['CURRENT']),
              type: 'underwriting_rule',
              ...record,
              name,
              ...rule,
            },
          ]),
      ...(n < 990
        ? []
        : [
            {
              ...{ ...vanityDomainKey(accountId, id), type: 'vanity_domain', ...record },
              ...{
                domain,
                unicodeDomain: domain,
                status: 'requested',
                challenge: 'merchant-ops-domain=7Zk1f0S8',
              },
            },
          ]),
    ];
  });
}

const [small, large] = [await tenant(), await tenant()];
await seed(small, few);
await seed(large, many);
await Promise.all([small, large].map(seedChanges));
await Promise.all([small, large].map(seedShortLists));

test(`a search or filter of ${many} leads costs as much as one of ${few}: at most 60 read units and 3 round trips`, async () => {
  const updatedAfter = new Date(Date.now() - 60_000).toISOString();
  const queries = [
    { search: 'rare' },
    { search: 'common' },
    { search: 'com' },
    { search: 'common goods' },
    { assignedTo: 'none', archived: false },
    { processStage: 'contacted' },
    { email: 'Rare@example.com' },
    { company: 'rare & sons' },
    { company: 'common goods' },
    { search: 'common', processStage: 'contacted', archived: false },
    { search: 'rare', archived: false, assignedTo: 'none' },
    { search: 'rare', cursor: '' },
    { processStage: 'contacted', cursor: '' },
    { updatedAfter },
    { updatedAfter, cursor: '' },
    { updatedAfter, search: 'changed', sort: 'firstName' },
    { createdFrom: '2025-06-01' },
    { createdFrom: '2025-06-01', cursor: '' },
    { createdTo: '2099-01-01', processStage: 'contacted' },
    { lastContactedBefore: '2026-01-02' },
    { lastContactedBefore: '2026-01-02', processStage: 'contacted', archived: false },
    { lastContactedBefore: '2026-01-02', cursor: '' },
    { lastContactedBefore: '2026-01-01T00:01:00Z', archived: false },
  ];
  for (const query of queries) {
    const costOf = async ({ admin }: Tenant) => {
      await admin.ok(listLeads, { query });
      return measure(() => admin.ok(listLeads, { query }));
    };
    const [one, other] = [await costOf(small), await costOf(large)];
    const shown = JSON.stringify(query);
    for (const { sequence, read } of [one, other]) {
      expect.soft(sequence, shown).toBeLessThanOrEqual(3);
      expect.soft(read, shown).toBeLessThanOrEqual(60);
    }
    expect.soft(Math.abs(one.read - other.read), shown).toBeLessThanOrEqual(0.1 * one.read);
    expect(other.result.data.length, shown).toBeGreaterThan(0);
  }
  for (const q of ['rare', 'common', 'com', 'common goods', 'harbor']) {
    const costOf = async ({ admin }: Tenant) => {
      await admin.ok(searchRecords, { query: { q } });
      return measure(() => admin.ok(searchRecords, { query: { q } }));
    };
    const [one, other] = [await costOf(small), await costOf(large)];
    for (const { sequence, read } of [one, other]) {
      expect.soft(sequence, q).toBeLessThanOrEqual(3);
      expect.soft(read, q).toBeLessThanOrEqual(60);
    }
    expect.soft(Math.abs(one.read - other.read), q).toBeLessThanOrEqual(0.1 * one.read);
    const { leads = [], ...groups } = other.result;
    expect(leads.length > 0, q).toBe(q !== 'harbor');
    const most = { underwritingRules: 5, domains: 5, accountTypes: 5, childAccounts: 5, impersonations: 5 };
    if (q === 'harbor')
      expect(
        Object.fromEntries(Object.entries(groups).map(([type, { length }]) => [type, length])),
      ).toMatchObject(most);
  }
});

test('a walk by cursors returns each of many leads without recent contact once, longest without contact first', async () => {
  const list = (query: object) => large.admin.ok(listLeads, { query });
  const isEarly = (n: number) => n % 1000 < 480;
  for (const [query, matches] of [
    [{}, isEarly],
    [{ processStage: 'contacted', archived: false }, (n: number) => isEarly(n) && n % 5 > 0],
  ] as const) {
    const walked: Lead[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const sent: object = { lastContactedBefore: '2026-01-01T08:00:00Z', ...query, pageSize: 100, cursor };
      const page: Awaited<ReturnType<typeof list>> = await list(sent);
      walked.push(...page.data);
      cursor = page.nextCursor ?? null;
    }
    const numbers = walked.map(({ id }) => id - firstId);
    const expected = Array.from({ length: many }, (_, n) => n).filter(matches);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(expected);
    const times = walked.map(({ lastContacted }) => lastContacted);
    expect(times).toEqual(times.toSorted());
  }
});
