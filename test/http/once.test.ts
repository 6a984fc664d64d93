import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import changePassword from '../../functions/auth/change-password.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createTeam from '../../functions/teams/create-team.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { ApiError } from '../../shared/errors.ts';
import { commit } from '../../shared/events/outbox.ts';
import { slotKey } from '../../shared/rotations/keys.ts';
import { integer, object, optional, string } from '../../shared/schema.ts';
import { increment } from '../../shared/table/counters.ts';
import type { Key } from '../../shared/table/keys.ts';
import { putIfAbsent, putIfVersion } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { concurrently } from '../harness/concurrently.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { member, memberPassword } from '../harness/member.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const ada = { firstName: 'Ada', lastName: 'Byron' };
afterEach(noFaults);

let keys = 0;
const freshKey = () => ({ pk: `ACCOUNT#TEST#once${++keys}`, sk: 'TEST' });
const Greeting = object({ said: string(), version: optional(integer()) });
const greeting = {
  method: 'POST',
  path: '/greetings',
  permission: 'writeLeads',
  response: Greeting,
  writes: true,
  summary: 'Greet',
} as const;
describe('runOnce', () => {
  test('runOnce runs its function once and returns the same result to each repeated call of decide', async () => {
    const [counter, row] = [freshKey(), freshKey()];
    await commit({ writes: [putIfAbsent({ ...row, version: 3 })], events: [], deadline: 0 });
    const decided: [number, number][] = [];
    let version = 0;
    const greet = endpoint({
      ...greeting,
      read: async () => ++version,
      decide: async ({ runOnce }, loaded) => {
        decided.push([loaded, await runOnce(() => increment(counter))]);
        return {
          response: { said: 'hello' },
          writes: [putIfVersion({ ...row, version: 4 }, loaded)],
          events: [],
        };
      },
    });
    await acme.key.ok(greet);
    expect(decided).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(await getItem(counter)).toMatchObject({ count: 1 });
  });

  test('runOnce does not run for an unauthorized caller, a rejected request or a failed If-Match', async () => {
    const [counter, powerless] = [freshKey(), await member(acme)];
    const greet = endpoint({
      ...greeting,
      read: async () => undefined,
      decide: async ({ headers, runOnce }) => {
        if (headers['x-refuse']) throw new ApiError('team_required');
        const count = await runOnce(
          () => increment(counter),
          () => 0,
        );
        return { response: { said: String(count), version: 1 }, writes: [], events: [] };
      },
    });
    const responses = [
      await powerless.client.call(greet),
      await acme.key.call(greet, { query: { nonsense: 1 } }),
      await acme.key.call(greet, { headers: { 'x-refuse': 'yes' } }),
      await acme.key.call(greet, { headers: { 'if-match': '"2"' } }),
      await acme.key.call(greet, { headers: { 'if-match': 'invalidInput' } }),
    ];
    expect(responses.map(({ body }) => body.error)).toEqual([
      'permission_denied',
      'invalid_input',
      'team_required',
      'version_mismatch',
      'invalid_if_match',
    ]);
    expect(await getItem(counter)).toBeUndefined();
    expect((await acme.key.ok(greet, { headers: { 'if-match': '"1"' } })).said).toBe('1');
    expect(await getItem(counter)).toMatchObject({ count: 1 });
  });
});

test('runOnce does not run if a read-only field differs', async () => {
  const counter = freshKey();
  const change = endpoint({
    ...greeting,
    method: 'PATCH',
    body: object({}),
    record: Greeting,
    decide: async ({ checkReadOnly, runOnce }) => {
      await checkReadOnly(() => ({ said: 'hello' }));
      const count = await runOnce(
        () => increment(counter),
        () => 0,
      );
      return { response: { said: String(count) }, writes: [], events: [] };
    },
  });
  const send = (said: string) => acme.key.call(change, { rawBody: JSON.stringify({ said }) });
  expect((await send('another text')).body.details).toMatchObject([{ field: 'said' }]);
  expect(await getItem(counter)).toBeUndefined();
  expect((await send('hello')).body.said).toBe('1');
});

describe('a rotation slot', () => {
  let of: Tenant;
  let slots: Key;
  beforeAll(async () => {
    of = await tenant();
    const people = [await member(of), await member(of)];
    const userRotationArray = people.map(({ user }) => ({ userId: String(user.id), weight: 1 }));
    const { id } = await of.admin.ok(createLeadRotation, { body: { name: 'Two', userRotationArray } });
    slots = slotKey(of.accountId, 'LEADROTATION', id, 1);
  });
  const turns = async () => Number((await getItem(slots))?.count ?? 0);

  test('each assignment uses one rotation slot, even if 20 concurrent assignments lose races', async () => {
    const { id: leadId } = await of.admin.ok(createLead, { body: ada });
    const before = await turns();
    injectFaults({ overlap: true });
    await concurrently(20, () => of.admin.ok(assignLead, { params: { leadId } }));
    expect(injected.overlaps).toBeGreaterThan(0);
    noFaults();
    expect((await turns()) - before).toBe(20);
  });

  test('a rotation slot is not used if If-Match fails, if the request sets assignedTo, or if the lead does not exist', async () => {
    const lead = await of.admin.ok(createLead, { body: ada });
    const before = await turns();
    const params = { leadId: lead.id };
    const stale = await of.admin.call(assignLead, { params, headers: { 'if-match': '"7"' } });
    expect([stale.status, await turns()]).toEqual([412, before]);
    await of.admin.ok(assignLead, { params, body: { assignedTo: of.adminEmail } });
    await of.admin.ok(assignLead, { params, body: { assignedTo: null } });
    expect((await of.admin.call(assignLead, { params: { leadId: 1 } })).status).toBe(404);
    expect(await turns()).toBe(before);
  });

  test('100 rejected creations use no rotation slot', async () => {
    await of.admin.ok(createTeam, { body: { name: 'West' } });
    const [before, total] = [await turns(), (await of.admin.ok(listLeads)).totalCount];
    const errors = [
      { body: ada },
      { body: { ...ada, teamId: 1 } },
      { body: { ...ada, leadSourceId: 1 }, query: { skipTeamAndSourceRequirement: true } },
      { body: { ...ada, assignedTo: 'nobody@nowhere.test' } },
      { body: ada, query: { skipTeamAndSourceRequirement: true }, headers: { 'if-match': '"5"' } },
    ];
    const responses = await concurrently(100, (n) => of.admin.call(createLead, errors[n % errors.length]));
    expect(new Set(responses.map(({ body }) => body.error))).toEqual(
      new Set(['team_required', 'team_unknown', 'lead_source_unknown', 'user_unknown', 'version_mismatch']),
    );
    expect([await turns(), (await of.admin.ok(listLeads)).totalCount]).toEqual([before, total]);
  });
});

test('only one of two concurrent changes of a password succeeds', async () => {
  const { client } = await member(acme);
  injectFaults({ overlap: true });
  const responses = await concurrently(2, (n) =>
    client.call(changePassword, {
      body: { currentPassword: memberPassword, newPassword: `another password, number ${n}` },
    }),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(responses.find(({ status }) => status === 400)?.body.error).toBe('password_wrong');
});
