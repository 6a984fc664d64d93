import { expect, test } from 'vitest';
import { deleteRecord, patchRecord, readRecord } from '../../shared/endpoints/record-endpoints.ts';
import { byName } from '../../shared/events/subject.ts';
import { mintId } from '../../shared/id/mint.ts';
import { accountId, dateTime, integer, object, optional, type Static, string } from '../../shared/schema.ts';
import { type Child, childStore } from '../../shared/table/child-store.ts';
import type { Versioned } from '../../shared/table/record-fields.ts';
import { recordStore } from '../../shared/table/record-store.ts';
import { transact } from '../../shared/table/transact.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const now = new Date().toISOString();
const fields = { accountId: acme.accountId, version: 1, createdAt: now, updatedAt: now, name: 'first' };
const shown = {
  accountId: accountId(),
  version: integer(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  updatedBy: optional(string()),
  name: string(),
};

const Plan = object({ id: string(), ...shown });
interface StoredPlan extends Versioned {
  id: string;
  listId: number;
  name: string;
}
/** A noun with text ids of four or more letters. It uses the events of teams. */
const storedPlans = recordStore<StoredPlan, 'team', Static<typeof Plan>>({
  noun: 'PLAN',
  subject: 'team',
  children: true,
  idFrom: (text) => (/^[A-Za-z]{4,}$/.test(text) ? text : undefined),
  summary: ({ listId, ...plan }) => plan,
});
const plans = { ...storedPlans, describe: byName };
const terms = {
  path: '/plans/{planId}',
  params: object({ planId: string() }),
  permission: 'readTeams',
  response: Plan,
  summary: 'A plan',
} as const;
const readPlan = readRecord(plans, terms);
const renamePlan = patchRecord(plans, {
  ...terms,
  body: object({ name: string() }),
  emits: 'team_updated',
  set: ({ body }) => body,
});
const deletePlan = deleteRecord(plans, { ...terms, emits: 'team_deleted' });
const planned = (id: string) =>
  transact(plans.insert({ id, listId: mintId(new Date()), ...fields }), Date.now() + 10_000);

test('a path with a text id is parsed by the noun’s idFrom, and other texts are 404', async () => {
  await planned('Spring');
  expect(await acme.key.ok(readPlan, { params: { planId: 'Spring' } })).toMatchObject({ id: 'Spring' });
  for (const planId of ['spring', 'abc', '1234', 'a#PAPER', 'Spring#PAPER'])
    expect((await acme.key.call(readPlan, { params: { planId } })).status, planId).toBe(404);
});

test('a record with a text id is changed with If-Match and deleted, and events contain its id', async () => {
  await planned('Autumn');
  const params = { planId: 'Autumn' };
  const rename = (version: number) =>
    acme.key.call(renamePlan, { params, body: { name: 'second' }, headers: { 'if-match': `"${version}"` } });
  expect((await rename(7)).status).toBe(412);
  expect((await rename(1)).body).toMatchObject({ name: 'second', version: 2 });
  expect((await plans.newest(acme.accountId, 10)).find(({ id }) => id === 'Autumn')).toMatchObject({
    name: 'second',
    version: 2,
  });
  await acme.key.ok(deletePlan, { params });
  expect((await acme.key.call(readPlan, { params })).status).toBe(404);
  const events = await eventsAbout(acme.accountId, 'Autumn');
  expect(events.map(({ kind }) => kind)).toEqual(['team_updated', 'team_deleted']);
});

test('an endpoint below a parent reads the child named by the last parameter', async () => {
  interface Paper extends Child {
    planId: string;
    name: string;
  }
  const papers = childStore<Paper, 'team'>({
    parent: 'PLAN',
    kind: 'PAPER',
    subject: 'team',
    parentOf: ({ planId }) => planId,
  });
  const readPaper = readRecord(
    {
      subject: papers.subject,
      show: papers.show,
      get: (account, id, { planId }) => papers.get(account, String(planId), Number(id)),
    },
    {
      ...terms,
      path: '/plans/{planId}/papers/{paperId}',
      params: object({ paperId: integer(), planId: string() }),
      response: object({ id: integer(), planId: string(), ...shown }),
    },
  );
  await planned('Winter');
  await planned('Summer');
  const id = mintId(new Date());
  await transact(papers.insert({ id, planId: 'Winter', ...fields }), Date.now() + 10_000);
  const read = (planId: string, paperId: number) => acme.key.call(readPaper, { params: { paperId, planId } });
  expect((await read('Winter', id)).body).toMatchObject({ id, planId: 'Winter' });
  expect((await read('Summer', id)).status).toBe(404);
  expect((await read('Winter', id + 1)).status).toBe(404);
});
