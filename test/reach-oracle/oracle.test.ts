import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import listLeads from '../../functions/leads/list-leads.ts';
import createTeam from '../../functions/teams/create-team.ts';
import { limitedPermissions } from '../../shared/resources/derived.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { clock } from '../harness/clock.ts';
import { countLeads, indexedLead } from '../harness/indexed-lead.ts';
import { type Member, member } from '../harness/member.ts';
import { putRange, setTotal } from '../harness/seed.ts';
import { tenant } from '../harness/tenant.ts';
import { type Postgres, startPostgres } from './postgres.ts';

const combinations = Number(process.env.COMBINATIONS ?? 10_000);
const amount = 200;
const firstId = 4_000_000_000_000_000;

/** Random numbers below a limit. The printed seed repeats a run. */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
console.log(`SEED=${seed}`);
const drawn = fc.sample(
  fc.nat(999_999).map((n) => n / 1_000_000),
  { seed, numRuns: 200_000 },
);
let used = 0;
const random = (below: number): number => Math.floor((drawn[used++ % drawn.length] ?? 0) * below);
const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;

const acme = await tenant();
const teams = await Promise.all(
  ['North', 'South', 'West'].map(async (name) => (await acme.admin.ok(createTeam, { body: { name } })).id),
);
const limits = Object.values(limitedPermissions.readLeads ?? {}) as Permission[];
const users: (Member & { permissions: Permission[]; teamId?: number })[] = [];
for (let n = 0; n < 16; n++) {
  const permissions = limits.filter(() => random(2) === 0);
  if (permissions.length === 0) permissions.push(pick(limits));
  const teamId = random(4) === 0 ? undefined : pick(teams);
  users.push({ ...(await member(acme, permissions, { teamId })), permissions, teamId });
}

const companies = ['Harbor Coffee', 'Harbor Street', 'Pier Nine', 'Lantern Books'];
const names = ['Ada', 'Grace', 'Katherine', 'Dorothy', 'Mary'];
const statuses = ['contacted', 'comparing', 'waiting'];

interface Row {
  id: number;
  createdAt: string;
  firstName: string;
  lastName: string;
  company: string;
  processStage?: string;
  archived: boolean;
  assignedTo?: string;
  teamId?: number;
  participants: string[];
}

const someUser = () => String(pick(users).user.id);
const rows: Row[] = Array.from({ length: amount }, (_, n) => ({
  id: firstId + n,
  createdAt: new Date(Date.parse('2026-01-01T00:00:00Z') + n * 60_000).toISOString(),
  firstName: pick(names),
  lastName: `Byron${String(random(1000)).padStart(3, '0')}`,
  company: pick(companies),
  ...(random(3) > 0 && { processStage: pick(statuses) }),
  archived: random(4) === 0,
  ...(random(3) > 0 && { assignedTo: someUser() }),
  ...(random(3) > 0 && { teamId: pick(teams) }),
  participants: Array.from({ length: random(6) === 0 ? 1 + random(2) : 0 }, someUser),
}));

const text = (value: string | number | undefined) => (value === undefined ? 'NULL' : `'${value}'`);

/** The rule of the reference, as row-level security. The settings of the transaction contain the caller. */
const schema = `
create table leads (id bigint primary key, first_name text, last_name text, company text, stage text,
  archived boolean, assigned_to text, team text, participants text[]);
alter table leads enable row level security;
create policy reach on leads for select using (
  (current_setting('caller.own') = 'yes' and
    (assigned_to = current_setting('caller.id') or current_setting('caller.id') = any(participants)))
  or (current_setting('caller.team_too') = 'yes' and team = current_setting('caller.team'))
  or (current_setting('caller.unassigned') = 'yes' and assigned_to is null));
create role caller;
grant select on leads to caller;
${rows
  .map(
    (row) =>
      `insert into leads values (${row.id}, ${text(row.firstName)}, ${text(row.lastName)}, ${text(row.company)}, ${text(
        row.processStage,
      )}, ${row.archived}, ${text(row.assignedTo)}, ${text(row.teamId)}, array[${row.participants
        .map(text)
        .join()}]::text[]);`,
  )
  .join('\n')}
`;

/** A list request, and its SQL. */
interface Combination {
  user: (typeof users)[number];
  query: Record<string, unknown>;
  where: string[];
  order: string;
  /** True if the pages of a cursor are walked to the end. */
  isWalk: boolean;
}

const searches = ['har', 'coffee', 'ada', 'harbor str', 'pier', 'byron1'];
const sorts = [
  ['lastName', 'last_name collate "C"'],
  ['company', 'company collate "C"'],
  ['firstName', 'first_name collate "C"'],
] as const;

function combination(): Combination {
  const user = pick(users);
  const query: Record<string, unknown> = {};
  const where: string[] = [];
  if (random(3) === 0) {
    const company = pick(companies);
    query.company = company;
    where.push(`company = '${company}'`);
  }
  if (random(4) === 0) {
    query.archived = random(2) === 0;
    where.push(`archived = ${query.archived}`);
  }
  if (random(4) === 0) {
    query.processStage = [pick(statuses), pick(statuses)];
    where.push(`stage in (${(query.processStage as string[]).map(text).join()})`);
  }
  if (random(4) === 0) {
    const holder = random(3) === 0 ? 'none' : someUser();
    query.assignedTo = holder;
    where.push(holder === 'none' ? 'assigned_to is null' : `assigned_to = '${holder}'`);
  }
  if (random(5) === 0) {
    query.teamId = pick(teams);
    where.push(`team = '${query.teamId}'`);
  }
  if (random(3) === 0) {
    query.search = pick(searches);
    for (const word of String(query.search).split(' '))
      where.push(`(first_name || ' ' || last_name || ' ' || company) ~* '\\m${word}'`);
  }
  const isWalk = random(6) === 0;
  const sorted = !isWalk && random(3) === 0 ? pick(sorts) : undefined;
  const descending = random(2) === 0;
  if (sorted) query.sort = `${descending ? '-' : ''}${sorted[0]}`;
  const order = sorted ? `${sorted[1]} ${descending ? 'desc' : 'asc'}, id desc` : 'id desc';
  return { user, query: { ...query, pageSize: isWalk ? 10 + random(40) : 100 }, where, order, isWalk };
}

const yes = (value: boolean) => (value ? 'yes' : 'no');

const sqlOf = ({ user, where, order }: Combination): string => {
  const has = (name: string) => user.permissions.includes(name as Permission);
  const [own, team] = [has('readOwnLeads') || has('readTeamLeads'), has('readTeamLeads')];
  return `set caller.id = '${user.user.id}'; set caller.own = '${yes(own)}'; set caller.team_too = '${yes(team)}';
set caller.team = '${user.teamId ?? ''}'; set caller.unassigned = '${yes(has('readUnassignedLeads'))}';
select coalesce(string_agg(id::text, ',' order by ${order}), '-') from leads${where.length > 0 ? ` where ${where.join(' and ')}` : ''};`;
};

/** Returns the ids of all pages, in their order. */
async function listed({ user, query, isWalk }: Combination): Promise<string> {
  const ids: number[] = [];
  let cursor = '';
  for (let page = 1; ; page++) {
    clock.advance(2000);
    const { data, nextCursor } = (await user.client.ok(listLeads, {
      query: { ...query, ...(isWalk ? { cursor } : { page }) },
    })) as unknown as { data: { id: number }[]; nextCursor?: string | null };
    ids.push(...data.map(({ id }) => id));
    if (isWalk ? !nextCursor : data.length < Number(query.pageSize)) return ids.join(',') || '-';
    cursor = nextCursor ?? '';
  }
}

let postgres: Postgres;
beforeAll(async () => {
  await putRange(0, amount, (n) => {
    const { id, participants, ...row } = rows[n] as Row;
    return indexedLead(acme.accountId, id, {
      ...row,
      updatedAt: row.createdAt,
      ...(participants.length > 0 && { participants }),
    });
  });
  await setTotal(acme.accountId, 'LEAD', amount);
  expect(await putAll(countLeads(acme.accountId, rows))).toEqual([]);
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

/** Without a search, the order is compared, too. A search returns better matches first. */
const comparable = (ids: string, { query, isWalk }: Combination): string =>
  query.search !== undefined && query.sort === undefined && !isWalk ? ids.split(',').sort().join() : ids;

test(`${combinations} random lists contain the same records as with row-level security`, async () => {
  const all = Array.from({ length: combinations }, combination);
  const expected = await postgres.run(`${schema}\nset role caller;\n${all.map(sqlOf).join('\n')}`);
  expect(expected.length).toBe(all.length);
  expect(new Set(expected).size).toBeGreaterThan(combinations / 20);
  for (const [n, one] of all.entries())
    expect(comparable(await listed(one), one), JSON.stringify({ ...one, user: one.user.permissions })).toBe(
      comparable(expected[n] ?? '', one),
    );
});
