import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import createTeam from '../../functions/teams/create-team.ts';
import updateTeam from '../../functions/teams/update-team.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import type { AnyContract, Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { CountedType } from '../../shared/people/users/count-reach.ts';
import { limitedPermissions, reachedRecords } from '../../shared/resources/derived.ts';
import type { Permission, ReachedType } from '../../shared/resources/registry.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { countLeads, indexedLead } from '../harness/indexed-lead.ts';
import { member, provesAgain } from '../harness/member.ts';
import { putRange, setTotal } from '../harness/seed.ts';
import { type Client, client, signIn, tenant } from '../harness/tenant.ts';
import { newRecords } from '../reach/reached-records.ts';
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
/** South is below North, and West is below South. */
const [north, south, west] = teams as [number, number, number];
await provesAgain(acme.admin);
for (const [id, parentTeamId] of [
  [south, north],
  [west, south],
] as const)
  await acme.admin.ok(updateTeam, { params: { id }, body: { parentTeamId } });

const types = Object.keys(reachedRecords) as ReachedType[];
const limitsOf = (type: ReachedType) =>
  Object.entries(limitedPermissions[reachedRecords[type].read] ?? {}) as [string, Permission][];

/** A user or an API key. The id is what the fields of records contain. */
interface Caller {
  kind: 'user' | 'key';
  id: string;
  client: Client;
  permissions: Permission[];
  teamId?: number;
}

/** Some of the limited permissions of each type. */
const somePermissions = (): Permission[] =>
  types.flatMap((type) => {
    const limits = limitsOf(type).map(([, name]) => name);
    const some = limits.filter(() => random(2) === 0);
    return some.length > 0 ? some : [pick(limits)];
  });

const users: Caller[] = [];
for (let n = 0; n < 14; n++) {
  const permissions = somePermissions();
  const teamId = random(4) === 0 ? undefined : pick(teams);
  const { user, client: by } = await member(acme, permissions, { teamId });
  users.push({ kind: 'user', id: String(user.id), client: by, permissions, teamId });
}
const managed = new Map(teams.map((id) => [id, users.filter(() => random(5) === 0)]));
for (const [id, managers] of managed)
  await acme.admin.ok(updateTeam, {
    params: { id },
    body: { managerIds: managers.map((one) => Number(one.id)) },
  });

const keys: Caller[] = [];
for (let n = 0; n < 3; n++) {
  const permissions = somePermissions();
  const creating = types.map((type) => reachedRecords[type].write);
  const { apiKey, apiSecret } = await acme.admin.ok(createApiKey, {
    body: { description: `Key ${n}`, flatPermissionsList: [...permissions, ...creating] },
  });
  const authorization = await signIn({ apiKey, apiSecret });
  const by = client({ 'x-account-id': acme.accountId, authorization });
  keys.push({ kind: 'key', id: apiKey, client: by, permissions });
}
const callers = [...users, ...keys];

const text = (value: string | number | undefined) => (value === undefined ? 'NULL' : `'${value}'`);

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
  createdBy: string;
}

const someUser = () => pick(users).id;
const someCreator = () => (random(3) === 0 ? pick(keys).id : 'import');
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
  createdBy: someCreator(),
}));

/** Records of the other types. They are created through the API, half of them by keys. */
interface Other {
  type: CountedType;
  id: number | string;
  owner?: string;
  teamId?: number;
  participants: string[];
  createdBy: string;
}
const otherTypes = ['application', 'merchant', 'ticket'] as const;
const others: Other[] = [];

async function createOther(type: CountedType): Promise<void> {
  const key = random(3) === 0 ? pick(keys) : undefined;
  const record = await newRecords[type](key?.client ?? acme.admin);
  const owner = random(3) > 0 ? someUser() : undefined;
  const teamId = random(3) > 0 ? pick(teams) : undefined;
  const participants = [...new Set(Array.from({ length: random(4) === 0 ? 1 + random(2) : 0 }, someUser))];
  await record.give(acme.admin, { owner: owner ?? null, teamId: teamId ?? null });
  if (participants.length > 0) await record.share(acme.admin, participants);
  others.push({ type, id: record.id, owner, teamId, participants, createdBy: key?.id ?? 'import' });
}

const textArray = (values: readonly string[]) => `array[${values.map(text).join()}]::text[]`;
const valuesOf = (rowsOf: readonly (readonly unknown[])[]) =>
  rowsOf.map((row) => `(${row.join()})`).join(',\n');

/** The rule of the reference, as row-level security. The settings of the transaction contain the caller. */
const reachPolicy = `using (
  (current_setting('caller.own') = 'yes' and case current_setting('caller.kind')
    when 'key' then created_by = current_setting('caller.id')
    else owner = current_setting('caller.id') or current_setting('caller.id') = any(participants) end)
  or (current_setting('caller.team_too') = 'yes' and (team = current_setting('caller.team') or team in (
    with recursive below(id) as (
      select team from managers where manager = current_setting('caller.id')
      union select teams.id from teams join below on teams.parent = below.id)
    select id from below)))
  or (current_setting('caller.unassigned') = 'yes' and owner is null))`;

const schemaOf = () => `
create table teams (id text primary key, parent text);
insert into teams values ${valuesOf([
  [text(north), 'NULL'],
  [text(south), text(north)],
  [text(west), text(south)],
])};
create table managers (team text, manager text);
insert into managers values ('none', 'none')${[...managed]
  .flatMap(([id, managers]) => managers.map((one) => `, (${text(id)}, ${text(one.id)})`))
  .join('')};
create table leads (id bigint primary key, first_name text, last_name text, company text, stage text,
  archived boolean, owner text, team text, participants text[], created_by text);
create table others (place int primary key, type text, id text, owner text, team text, participants text[], created_by text);
create role caller;
grant select on leads, others, teams, managers to caller;
${['leads', 'others']
  .map(
    (table) =>
      `alter table ${table} enable row level security; create policy reach on ${table} for select ${reachPolicy};`,
  )
  .join('\n')}
insert into leads values ${valuesOf(
  rows.map((row) => [
    ...[
      row.id,
      text(row.firstName),
      text(row.lastName),
      text(row.company),
      text(row.processStage),
      row.archived,
    ],
    ...[text(row.assignedTo), text(row.teamId), textArray(row.participants), text(row.createdBy)],
  ]),
)};
insert into others values ${valuesOf(
  others.map((one, place) => [
    ...[place, text(one.type), text(one.id), text(one.owner), text(one.teamId)],
    ...[textArray(one.participants), text(one.createdBy)],
  ]),
)};
`;

/** A list request, and its SQL. */
interface Combination {
  type: ReachedType;
  user: Caller;
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

/** The fields of the owner and of the team, which are filters of the lists of the other types. */
const filtersOf: Readonly<Record<string, { owner: string; team: string }>> = {
  application: { owner: 'ownerId', team: 'teamId' },
  merchant: { owner: 'ownerId', team: 'teamId' },
  ticket: { owner: 'assignedTo', team: 'assignedTeamId' },
};

function otherCombination(): Combination {
  const type = pick(otherTypes);
  const { owner, team } = filtersOf[type] ?? { owner: 'ownerId', team: 'teamId' };
  const query: Record<string, unknown> = {};
  const where = [`type = '${type}'`];
  if (random(3) === 0) {
    query[owner] = someUser();
    where.push(`owner = '${query[owner]}'`);
  }
  if (random(3) === 0) {
    query[team] = pick(teams);
    where.push(`team = '${query[team]}'`);
  }
  const isWalk = random(4) === 0;
  return {
    ...{ type, user: pick(callers), where, order: 'place desc', isWalk },
    query: { ...query, pageSize: isWalk ? 5 + random(20) : 100 },
  };
}

function combination(): Combination {
  if (random(4) === 0) return otherCombination();
  const user = pick(callers);
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
    where.push(holder === 'none' ? 'owner is null' : `owner = '${holder}'`);
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
  return {
    ...{ type: 'lead', user, where, order, isWalk },
    query: { ...query, pageSize: isWalk ? 10 + random(40) : 100 },
  };
}

const yes = (value: boolean) => (value ? 'yes' : 'no');

const sqlOf = ({ type, user, where, order }: Combination): string => {
  const has = (limit: string) =>
    limitsOf(type).some(([name, permission]) => name === limit && user.permissions.includes(permission));
  const table = type === 'lead' ? 'leads' : 'others';
  const settings = {
    ...{ kind: user.kind, id: user.id, team: user.teamId ?? '' },
    ...{
      own: yes(has('own') || has('team')),
      team_too: yes(has('team')),
      unassigned: yes(has('unassigned')),
    },
  };
  return `${Object.entries(settings)
    .map(([name, value]) => `set caller.${name} = '${value}';`)
    .join(' ')}
select coalesce(string_agg(id::text, ',' order by ${order}), '-') from ${table}${where.length > 0 ? ` where ${where.join(' and ')}` : ''};`;
};

const lists: Readonly<Record<ReachedType, unknown>> = {
  lead: listLeads,
  application: listApplications,
  merchant: listMerchants,
  ticket: listTickets,
};

/** Returns the ids of all pages, in their order. */
async function listed({ type, user, query, isWalk }: Combination): Promise<string> {
  const ids: (number | string)[] = [];
  let cursor = '';
  for (let page = 1; ; page++) {
    clock.advance(2000);
    const { data, nextCursor } = (await user.client.ok<AnyContract>(
      lists[type] as Endpoint,
      {
        query: { ...query, ...(isWalk ? { cursor } : { page }) },
      } as object,
    )) as unknown as { data: { id: number | string }[]; nextCursor?: string | null };
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
  for (let n = 0; n < 180; n++) await createOther(otherTypes[n % 3] ?? 'ticket');
  await drain();
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

/** Without a search, the order is compared, too. A search returns better matches first. */
const comparable = (ids: string, { query, isWalk }: Combination): string =>
  query.search !== undefined && query.sort === undefined && !isWalk ? ids.split(',').sort().join() : ids;

test(`${combinations} random lists contain the same records as with row-level security`, async () => {
  const all = Array.from({ length: combinations }, combination);
  const expected = await postgres.run(`${schemaOf()}\nset role caller;\n${all.map(sqlOf).join('\n')}`);
  expect(expected.length).toBe(all.length);
  expect(new Set(expected).size).toBeGreaterThan(combinations / 20);
  for (const [n, one] of all.entries())
    expect(
      comparable(await listed(one), one),
      JSON.stringify({ ...one, user: { ...one.user, client: undefined } }),
    ).toBe(comparable(expected[n] ?? '', one));
});
