import { beforeAll, describe, expect, test } from 'vitest';
import listEvents from '../../functions/events/list-events.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import readLeadRotation from '../../functions/lead-rotations/read-lead-rotation.ts';
import updateLeadRotation from '../../functions/lead-rotations/update-lead-rotation.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import createTicketRotation from '../../functions/ticket-rotations/create-ticket-rotation.ts';
import deleteTicketRotation from '../../functions/ticket-rotations/delete-ticket-rotation.ts';
import listTicketRotations from '../../functions/ticket-rotations/list-ticket-rotations.ts';
import readTicketRotation from '../../functions/ticket-rotations/read-ticket-rotation.ts';
import resetTicketRotation from '../../functions/ticket-rotations/reset-ticket-rotation.ts';
import simulateTicketRotation from '../../functions/ticket-rotations/simulate-ticket-rotation.ts';
import updateTicketRotation from '../../functions/ticket-rotations/update-ticket-rotation.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import updateUser from '../../functions/users/update-user.ts';
import { uniqueIdOf } from '../../shared/id/unique-id.ts';
import { slotKey } from '../../shared/rotations/keys.ts';
import { takeTurn } from '../../shared/rotations/slots.ts';
import { nextTurn, rotationsFor } from '../../shared/support/ticket-rotations/next-turn.ts';
import { ticketRotations } from '../../shared/support/ticket-rotations/store.ts';
import { increment } from '../../shared/table/counters.ts';
import { concurrently } from '../harness/concurrently.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { crowd, shares } from '../harness/heavy.ts';
import { member } from '../harness/member.ts';
import { scanTable } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

let acme: Tenant;
/** Users of acme that no test changes. */
let [ada, bob, cyd]: Person[] = [];

interface Person {
  id: string;
  email: string;
  name: string;
}

interface People {
  1: [Person];
  2: [Person, Person];
  3: [Person, Person, Person];
  4: [Person, Person, Person, Person];
}

let made = 0;

/** Creates users in the account. */
async function people<N extends keyof People>(count: N, of?: Tenant): Promise<People[N]>;
async function people(count: number, of = acme): Promise<Person[]> {
  const users = [];
  for (let n = 0; n < count; n++) {
    made += 1;
    const [email, name] = [`person${made}@example.com`, `P ${made}`];
    const { id } = await of.admin.ok(createUser, { body: { email, name } });
    users.push({ id: String(id), email, name });
  }
  return users;
}

beforeAll(async () => {
  acme = await tenant();
  [ada, bob, cyd] = await people(3);
});

const weighted = (persons: readonly (Person | undefined)[], weights: readonly number[]) =>
  persons.map((person, index) => ({ userId: person?.id ?? '', weight: weights[index] ?? 1 }));

const rotate = (body: object = {}) =>
  acme.admin.ok(createTicketRotation, {
    body: { name: 'Faults', userRotationArray: weighted([ada, bob, cyd], [3, 2, 1]), ...body },
  });

const ticketType = () =>
  acme.admin.ok(createTicketType, {
    body: { name: 'Terminal fault', description: 'It takes no cards', category: 'technical' },
  });

async function stored(id: number) {
  const rotation = await ticketRotations.find(acme.accountId, id);
  if (!rotation) throw new Error('The rotation does not exist.');
  return rotation;
}

const turnOf = async (id: number) => takeTurn('TICKETROTATION', await stored(id));

async function turnsOf(id: number, count: number): Promise<(string | undefined)[]> {
  const taken = [];
  for (let n = 0; n < count; n++) taken.push((await turnOf(id)).assignee?.userId);
  return taken;
}

const sharesOf = (persons: readonly (Person | undefined)[], taken: readonly (string | undefined)[]) =>
  persons.map((person) => taken.filter((id) => id === person?.id).length);

const eventsOf = async (id: number) =>
  (await acme.admin.ok(listEvents, { query: { pageSize: 100 } })).data
    .filter(({ subject }) => subject.id === id)
    .map(({ kind, data }) => [kind, data] as const)
    .reverse();

describe('a ticket rotation', () => {
  test('a ticket rotation copies email and name of its members from the users, and can be read, listed and deleted', async () => {
    const rotation = await rotate({
      userRotationArray: [{ userId: ada?.email, email: 'wrong@example.com', name: 'Wrong', weight: 3 }],
    });
    expect(rotation).toMatchObject({
      uniqueId: uniqueIdOf('rot', rotation.id),
      status: 'active',
      currentPosition: 0,
      userRotationArray: [{ userId: ada?.id, email: ada?.email, name: ada?.name, weight: 3 }],
      createdBy: acme.adminEmail,
    });
    const params = { id: rotation.uniqueId };
    expect(await acme.admin.ok(readTicketRotation, { params })).toEqual(rotation);
    expect((await acme.admin.ok(listTicketRotations)).data).toContainEqual(rotation);
    expect(await acme.admin.ok(deleteTicketRotation, { params })).toEqual(rotation);
    expect((await acme.admin.call(readTicketRotation, { params })).status).toBe(404);
    expect((await eventsOf(rotation.id)).map(([kind]) => kind)).toEqual([
      'ticket_rotation_created',
      'ticket_rotation_deleted',
    ]);
  });

  test('a ticket rotation is found only by its id, or by its uniqueId with any letter case and zero padding', async () => {
    const { id, uniqueId } = await rotate();
    const short = uniqueId.replace(/^rot_0+/, 'rot_');
    for (const reference of [String(id), uniqueId, uniqueId.toUpperCase(), short]) {
      const params = { id: reference };
      expect((await acme.admin.ok(readTicketRotation, { params })).id, reference).toBe(id);
      expect((await acme.admin.ok(resetTicketRotation, { params })).id, reference).toBe(id);
      expect((await acme.admin.ok(simulateTicketRotation, { params })).data, reference).toHaveLength(10);
      expect((await acme.admin.ok(updateTicketRotation, { params, body: {} })).id, reference).toBe(id);
    }
    const others = [
      uniqueIdOf('tty', id),
      `${uniqueId}0`,
      uniqueId.replace('rot_', ''),
      'rot_u',
      '0',
      `0${id}`,
    ];
    for (const reference of others) {
      const sent = { params: { id: reference } };
      const responses = [
        await acme.admin.call(readTicketRotation, sent),
        await acme.admin.call(resetTicketRotation, sent),
        await acme.admin.call(simulateTicketRotation, sent),
      ];
      expect(
        responses.map(({ status }) => status),
        reference,
      ).toEqual([404, 404, 404]);
    }
  });

  test('an invalid rotation returns 400 with the field, in POST and PATCH', async () => {
    const { uniqueId } = await rotate();
    const one = { userId: ada?.id, weight: 1 };
    const faults: [object, string, string][] = [
      [{ status: 'paused' }, 'invalid_input', 'status'],
      [{ status: null }, 'invalid_input', 'status'],
      [{ userRotationArray: [] }, 'invalid_input', 'userRotationArray'],
      [{ userRotationArray: [{ ...one, weight: 0 }] }, 'invalid_input', 'userRotationArray[0].weight'],
      [{ userRotationArray: [{ ...one, weight: 11 }] }, 'invalid_input', 'userRotationArray[0].weight'],
      [{ userRotationArray: [{ ...one, weight: 1.5 }] }, 'invalid_input', 'userRotationArray[0].weight'],
      [{ userRotationArray: [{ userId: ada?.id }] }, 'invalid_input', 'userRotationArray[0].weight'],
      [
        { userRotationArray: [one, { userId: '12345', weight: 1 }] },
        'rotation_invalid',
        'userRotationArray[1].userId',
      ],
      [
        { userRotationArray: [one, { userId: 'no.body@example.com', weight: 1 }] },
        'rotation_invalid',
        'userRotationArray[1].userId',
      ],
      [
        { userRotationArray: [one, { ...one, userId: ada?.email }] },
        'rotation_invalid',
        'userRotationArray[1].userId',
      ],
      [{ ticketTypeId: uniqueIdOf('tty', 77) }, 'ticket_type_unknown', 'ticketTypeId'],
      [{ ticketTypeId: uniqueIdOf('rot', 77) }, 'ticket_type_unknown', 'ticketTypeId'],
      [{ ticketTypeId: 'tty_u' }, 'ticket_type_unknown', 'ticketTypeId'],
      [{ ticketTypeId: '' }, 'ticket_type_unknown', 'ticketTypeId'],
      [{ ticketTypeId: 77 }, 'invalid_input', 'ticketTypeId'],
    ];
    for (const [fault, error, field] of faults) {
      const body = { name: 'Bad', userRotationArray: [one], ...fault };
      const created = await acme.admin.call(createTicketRotation, { body: body as never });
      const changed = await acme.admin.call(updateTicketRotation, {
        params: { id: uniqueId },
        body: fault as never,
      });
      for (const response of [created, changed])
        expect([response.status, response.body.error, response.body.details?.[0]?.field]).toEqual([
          400,
          error,
          field,
        ]);
    }
    const beyond = await acme.admin.call(updateTicketRotation, {
      params: { id: uniqueId },
      body: { currentPosition: 6 },
    });
    expect([beyond.status, beyond.body.error]).toEqual([400, 'position_out_of_range']);
  });

  test('ticketTypeId accepts each form of the id, is stored as uniqueId, and can filter lists', async () => {
    const { id: typeId, uniqueId: type } = await ticketType();
    const { id, uniqueId, ticketTypeId } = await rotate({ ticketTypeId: String(typeId) });
    expect(ticketTypeId).toBe(type);
    for (const reference of [type, type.toUpperCase(), String(typeId)]) {
      const { data } = await acme.admin.ok(listTicketRotations, { query: { ticketTypeId: reference } });
      expect(data.map((one) => one.id)).toEqual([id]);
    }
    const others = { query: { ticketTypeId: uniqueIdOf('tty', 5) } };
    expect((await acme.admin.ok(listTicketRotations, others)).data).toEqual([]);
    const params = { id: uniqueId };
    const same = await acme.admin.ok(updateTicketRotation, {
      params,
      body: { ticketTypeId: type.toUpperCase() },
    });
    expect(same.version).toBe(1);
    const cleared = await acme.admin.ok(updateTicketRotation, { params, body: { ticketTypeId: null } });
    expect(cleared).not.toHaveProperty('ticketTypeId');
    expect(cleared.version).toBe(2);
  });

  test('a change of status emits two events, and a PATCH without a change emits no event', async () => {
    const { id, uniqueId } = await rotate();
    const patch = (body: object) => acme.admin.ok(updateTicketRotation, { params: { id: uniqueId }, body });
    await patch({ status: 'active', name: 'Faults' });
    const changed = await patch({ status: 'inactive', name: 'Asleep' });
    expect([changed.status, changed.name, changed.version]).toEqual(['inactive', 'Asleep', 2]);
    await patch({ name: 'Still asleep' });
    expect((await eventsOf(id)).slice(1)).toEqual([
      [
        'ticket_rotation_updated',
        { changes: expect.objectContaining({ status: { from: 'active', to: 'inactive' } }) },
      ],
      ['ticket_rotation_status_changed', { from: 'active', to: 'inactive' }],
      ['ticket_rotation_updated', { changes: { name: { from: 'Asleep', to: 'Still asleep' } } }],
    ]);
  });

  test('a reset moves a ticket rotation to position 0 or to currentPosition, and emits only ticket_rotation_position_reset', async () => {
    const { id, uniqueId } = await rotate();
    const params = { id: uniqueId };
    const [first, second] = await turnsOf(id, 2);
    expect((await acme.admin.ok(readTicketRotation, { params })).currentPosition).toBe(2);
    expect((await acme.admin.ok(resetTicketRotation, { params })).currentPosition).toBe(0);
    expect(await turnsOf(id, 2)).toEqual([first, second]);
    const put = await acme.admin.ok(resetTicketRotation, { params, body: { currentPosition: 1 } });
    expect([put.currentPosition, put.version]).toEqual([1, 3]);
    expect(await acme.admin.ok(resetTicketRotation, { params, body: { currentPosition: 1 } })).toEqual(put);
    expect(await turnsOf(id, 1)).toEqual([second]);
    const beyond = await acme.admin.call(resetTicketRotation, { params, body: { currentPosition: 6 } });
    expect([beyond.status, beyond.body.error]).toEqual([400, 'position_out_of_range']);
    expect((await eventsOf(id)).slice(1)).toEqual([
      ['ticket_rotation_position_reset', { from: 2, to: 0 }],
      ['ticket_rotation_position_reset', { from: 2, to: 1 }],
    ]);
  });
});

describe('the assignees of a rotation', () => {
  test('the assignees of a rotation do not include inactive members, former members or invited users', async () => {
    const [stays, sleeps, leaves] = await people(3);
    const invited = await tenant();
    await acme.admin.ok(addUserToAccount, { params: { email: invited.adminEmail } });
    const { id, uniqueId, userRotationArray } = await rotate({
      userRotationArray: [
        ...weighted([stays, sleeps, leaves], [1, 7, 9]),
        { userId: invited.adminEmail, weight: 10 },
      ],
    });
    const stranger = userRotationArray[3];
    await acme.admin.ok(updateUser, { params: { email: sleeps?.email ?? '' }, body: { active: false } });
    await acme.admin.ok(deleteUser, { params: { email: leaves?.email ?? '' } });
    for (let n = 0; n < 5; n++) {
      const { assignee, turn } = await turnOf(id);
      expect(assignee?.userId).toBe(stays?.id);
      expect(turn).toEqual({
        rotationId: id,
        epoch: 1,
        slot: n,
        start: 0,
        members: [{ userId: stays?.id, weight: 1 }],
        skipped: [
          { userId: sleeps?.id, reason: 'inactive' },
          { userId: leaves?.id, reason: 'not_member' },
          { userId: stranger?.userId, reason: 'not_member' },
        ],
      });
    }
    const simulated = await acme.admin.ok(simulateTicketRotation, { params: { id: uniqueId } });
    expect(simulated.data.map(({ userId }) => userId)).toEqual(Array(10).fill(stays?.id));
    expect(simulated.skipped).toEqual([
      { userId: sleeps?.id, email: sleeps?.email, name: sleeps?.name, reason: 'inactive' },
      { userId: leaves?.id, email: leaves?.email, name: leaves?.name, reason: 'not_member' },
      { userId: stranger?.userId, email: invited.adminEmail, name: invited.adminEmail, reason: 'not_member' },
    ]);
  });

  test('GET, PATCH and the list of a rotation return its inactive members, and simulate returns why it has no assignee', async () => {
    const [stays, sleeps] = await people(2);
    const { uniqueId, ...rotation } = await rotate({ userRotationArray: weighted([stays, sleeps], [1, 2]) });
    expect(rotation).not.toHaveProperty('inactiveMembers');
    await acme.admin.ok(updateUser, { params: { email: sleeps?.email ?? '' }, body: { active: false } });
    const params = { id: uniqueId };
    const inactiveMembers = [{ userId: sleeps?.id, reason: 'inactive' }];
    const read = await acme.admin.ok(readTicketRotation, { params });
    expect(read.inactiveMembers).toEqual(inactiveMembers);
    const body = { ...read, name: 'One asleep' };
    expect(await acme.admin.ok(updateTicketRotation, { params, body })).toMatchObject({ inactiveMembers });
    const { data } = await acme.admin.ok(listTicketRotations, {});
    expect(data.find((one) => one.uniqueId === uniqueId)).toMatchObject({ inactiveMembers });
    expect(await acme.admin.ok(simulateTicketRotation, { params })).not.toHaveProperty('reason');
    await acme.admin.ok(deleteUser, { params: { email: stays?.email ?? '' } });
    const simulated = await acme.admin.ok(simulateTicketRotation, { params });
    expect(simulated).toMatchObject({ data: [], reason: 'nobody_eligible' });
    expect(simulated.skipped.map(({ userId }) => userId)).toEqual([stays?.id, sleeps?.id]);
  });

  test('the members’ shares do not depend on the creation order of the members or on renames', async () => {
    // The newest member is first, and the rotation has already completed many rounds.
    const [oldest, middle, youngest] = await people(3);
    const order = [youngest, middle, oldest];
    const { id, uniqueId } = await rotate({ userRotationArray: weighted(order, [3, 2, 1]) });
    await increment(slotKey(acme.accountId, 'TICKETROTATION', id, 1), 6001);
    const params = { id: uniqueId };
    const taken = [];
    for (let n = 0; n < 12; n++) {
      await acme.admin.ok(updateTicketRotation, { params, body: { name: `Round ${n}` } });
      if (n === 4)
        await acme.admin.ok(updateUser, { params: { email: middle?.email ?? '' }, body: { name: 'Anew' } });
      if (n === 7)
        await acme.admin.ok(updateTicketRotation, {
          params,
          body: { userRotationArray: weighted(order, [3, 2, 1]) },
        });
      taken.push(...(await turnsOf(id, 1)));
    }
    expect(sharesOf(order, taken)).toEqual([6, 4, 2]);
    expect(sharesOf(order, taken.slice(0, 6))).toEqual([3, 2, 1]);
  });
});

describe('a simulation', () => {
  test('a simulation returns the next 18 assignees and does not advance the rotation', async () => {
    const persons = await people(3);
    const { id, uniqueId } = await rotate({
      userRotationArray: weighted(persons, [5, 3, 1]),
      currentPosition: 4,
    });
    await acme.admin.ok(updateUser, { params: { email: persons[2]?.email ?? '' }, body: { active: false } });
    await turnsOf(id, 5);
    const before = await scanTable();
    const previewed = await acme.admin.ok(simulateTicketRotation, {
      params: { id: uniqueId },
      body: { count: 18 },
      headers: { 'idempotency-key': 'preview' },
    });
    const kept = (items: Awaited<ReturnType<typeof scanTable>>) =>
      items.filter(({ pk }) => !String(pk).includes('#CALLS#'));
    expect(kept(await scanTable())).toEqual(kept(before));
    for (const { slot, position, ...person } of previewed.data) {
      const { assignee, turn } = await turnOf(id);
      expect({ slot: turn.slot, position: (turn.start + turn.slot) % 8 }).toEqual({ slot, position });
      expect(person).toEqual({ userId: assignee?.userId, email: assignee?.email, name: assignee?.name });
    }
    expect(previewed.data).toHaveLength(18);
  });

  test('a simulation with other weights returns the same assignees as a rotation after a PATCH with these weights', async () => {
    const { id, uniqueId } = await rotate();
    const params = { id: uniqueId };
    await turnsOf(id, 4);
    const simulate = (userRotationArray?: { userId: string; weight: number }[]) =>
      acme.admin.ok(simulateTicketRotation, { params, body: { count: 9, userRotationArray } });
    expect(await simulate(weighted([ada, bob, cyd], [3, 2, 1]))).toEqual(await simulate());
    const others = weighted([cyd, ada], [1, 4]);
    const previewed = await simulate(others);
    await acme.admin.ok(updateTicketRotation, { params, body: { userRotationArray: others } });
    expect(await simulate()).toEqual(previewed);
    expect(await turnsOf(id, 9)).toEqual(previewed.data.map(({ userId }) => userId));
  });

  test('a caller without readUsers can neither add other users to a rotation nor simulate it with other users', async () => {
    const [inside, outside] = await people(2);
    const { client: by, user } = await member(acme, [
      'readTicketRotations',
      'writeTicketRotations',
      'writeLeadRotations',
    ]);
    const own: Person = { id: String(user.id), email: user.email, name: user.name ?? '' };
    const withMembers = (...persons: Person[]) => ({ name: 'R', userRotationArray: weighted(persons, []) });
    const { uniqueId: id } = await acme.admin.ok(createTicketRotation, { body: withMembers(inside) });
    const { id: leadRotation } = await acme.admin.ok(createLeadRotation, { body: withMembers(inside) });
    const calls = (...persons: Person[]) => {
      const body = withMembers(...persons);
      const { userRotationArray } = body;
      return [
        by.call(updateTicketRotation, { params: { id }, body }),
        by.call(updateLeadRotation, { params: { id: leadRotation }, body }),
        by.call(simulateTicketRotation, { params: { id }, body: { userRotationArray } }),
      ];
    };
    const byEmail = { ...outside, id: outside.email };
    const nobody = { ...outside, id: 'no.body@example.com' };
    for (const other of [outside, byEmail, nobody]) {
      const creations = [
        by.call(createTicketRotation, { body: withMembers(other) }),
        by.call(createLeadRotation, { body: withMembers(other) }),
      ];
      for (const { status, body } of await Promise.all([...creations, ...calls(inside, other)])) {
        expect([status, body.error]).toEqual([403, 'permission_denied']);
        expect(JSON.stringify(body)).not.toContain(outside.name);
      }
    }
    await acme.admin.ok(updateUser, { params: { email: inside.email }, body: { name: 'Another name' } });
    for (const known of [inside, { ...inside, id: inside.email }])
      for (const { status, body } of await Promise.all(calls(known, own))) {
        expect(status).toBe(200);
        expect(JSON.stringify(body)).toContain(`"name":"${inside.name}"`);
        expect(JSON.stringify(body)).toContain(`"name":"${own.name}"`);
      }
  });

  test('a simulation accepts only a count of 1 to 1,000, users of the account, and callers with readTicketRotations', async () => {
    const { uniqueId } = await rotate();
    const params = { id: uniqueId };
    const reader = await member(acme, ['readTicketRotations']);
    const longest = await reader.client.ok(simulateTicketRotation, { params, body: { count: 1000 } });
    expect(longest.data).toHaveLength(1000);
    for (const body of [{ count: 0 }, { count: 1001 }, { count: 2.5 }, { userRotationArray: [] }])
      expect((await acme.admin.call(simulateTicketRotation, { params, body })).status).toBe(400);
    const unknown = { userRotationArray: [{ userId: '12345', weight: 1 }] };
    const refused = await acme.admin.call(simulateTicketRotation, { params, body: unknown });
    expect(refused.body).toMatchObject({
      error: 'rotation_invalid',
      details: [{ field: 'userRotationArray[0].userId' }],
    });
    const writer = await member(acme, ['writeTicketRotations']);
    expect((await writer.client.call(simulateTicketRotation, { params })).status).toBe(403);
  });
});

describe('the next ticket of a type', () => {
  const next = async (of: { ticketTypeId?: string; rotationId?: string }) =>
    nextTurn(of, await rotationsFor(acme.accountId, of));

  test('the next ticket uses the rotationId of its type, or the oldest active rotation for the type if rotationId is not set', async () => {
    const { uniqueId: ticketTypeId } = await ticketType();
    const members = (person: Person | undefined) => ({ userRotationArray: weighted([person], [1]) });
    const asleep = await rotate({ ...members(cyd), ticketTypeId, status: 'inactive' });
    const older = await rotate({ ...members(ada), ticketTypeId });
    await rotate({ ...members(bob), ticketTypeId });
    const named = await rotate(members(cyd));
    expect((await next({ ticketTypeId })).assignee?.userId).toBe(ada?.id);
    expect((await next({ ticketTypeId, rotationId: named.uniqueId })).assignee?.userId).toBe(cyd?.id);
    expect(await next({ ticketTypeId, rotationId: asleep.uniqueId })).toEqual({
      reason: 'rotation_inactive',
    });
    await acme.admin.ok(updateTicketRotation, {
      params: { id: older.uniqueId },
      body: { status: 'inactive' },
    });
    expect((await next({ ticketTypeId })).assignee?.userId).toBe(bob?.id);
    await acme.admin.ok(deleteTicketRotation, { params: { id: named.uniqueId } });
    expect(await next({ ticketTypeId, rotationId: named.uniqueId })).toEqual({ reason: 'rotation_gone' });
    expect(await next({ ticketTypeId: uniqueIdOf('tty', 5) })).toEqual({ reason: 'no_rotation' });
    expect(await next({})).toEqual({ reason: 'no_rotation' });
  });

  test('a type can use a rotation that the eventually consistent list does not contain yet', async () => {
    const { uniqueId, id } = await rotate();
    const { turn } = await next({ rotationId: uniqueId.toUpperCase() });
    expect(turn?.rotationId).toBe(id);
  });
});

const lead = { firstName: 'Ada', lastName: 'Byron' };

describe('a lead rotation', () => {
  test('a lead rotation with an unknown member or team is rejected', async () => {
    const [ada] = await people(1);
    const attempt = async (userId: string, teamId?: number) => {
      const body = { name: 'Bad', userRotationArray: [{ userId, weight: 1 }], teamId };
      return (await acme.admin.call(createLeadRotation, { body })).body.error;
    };
    expect([await attempt('12345'), await attempt(ada.id, 77)]).toEqual(['rotation_invalid', 'team_unknown']);
  });

  test('a lead rotation restarts at position 0 when its members change, and can be set to another position', async () => {
    const [ada, bob] = await people(2);
    const globex = await tenant();
    const [eve] = await people(1, globex);
    const members = [{ userId: eve.id, weight: 2 }];
    const rotation = await globex.admin.ok(createLeadRotation, {
      body: { name: 'R', userRotationArray: members },
    });
    const params = { id: rotation.id };
    await globex.admin.ok(createLead, { body: lead });
    const moved = await globex.admin.ok(readLeadRotation, { params });
    expect([moved.currentPosition, moved.version]).toEqual([1, 1]);
    const renamed = await globex.admin.ok(updateLeadRotation, { params, body: { name: 'S' } });
    expect([renamed.currentPosition, renamed.version]).toEqual([1, 2]);
    const changed = await globex.admin.ok(updateLeadRotation, {
      params,
      body: { userRotationArray: [{ userId: eve.id, weight: 3 }] },
    });
    expect(changed.currentPosition).toBe(0);
    const set = await globex.admin.ok(updateLeadRotation, { params, body: { currentPosition: 2 } });
    expect(set.currentPosition).toBe(2);
    const foreign = await globex.admin.call(updateLeadRotation, {
      params,
      body: {
        userRotationArray: [
          { userId: ada.id, weight: 1 },
          { userId: bob.id, weight: 1 },
        ],
      },
    });
    expect([foreign.status, foreign.body.error]).toEqual([400, 'rotation_invalid']);
  });

  test('a lead rotation keeps its position if a PATCH contains the same members, even if a member was renamed', async () => {
    const globex = await tenant();
    const persons = await people(3, globex);
    const members = persons.map(({ id }) => ({ userId: id, weight: 2 }));
    const { id } = await globex.admin.ok(createLeadRotation, {
      body: { name: 'R', userRotationArray: members },
    });
    for (let n = 0; n < 3; n++) await globex.admin.ok(createLead, { body: lead });
    for (let n = 0; n < 10; n++) {
      const again = { params: { id }, body: { userRotationArray: members } };
      const { currentPosition, version } = await globex.admin.ok(updateLeadRotation, again);
      expect([currentPosition, version]).toEqual([3, 1]);
    }
    await globex.admin.ok(updateUser, { params: { email: persons[1].email }, body: { name: 'Renamed' } });
    const renamed = await globex.admin.ok(updateLeadRotation, {
      params: { id },
      body: { userRotationArray: members },
    });
    expect([renamed.userRotationArray[1]?.name, renamed.currentPosition, renamed.version]).toEqual([
      'Renamed',
      3,
      2,
    ]);
  });

  test('POST and PATCH of a lead rotation with inactive members return the same position as GET', async () => {
    const globex = await tenant();
    const [active, inactive] = await people(2, globex);
    await globex.admin.ok(updateUser, { params: { email: inactive.email }, body: { active: false } });
    const members = [active, inactive].map((person) => ({ userId: person.id, weight: 2 }));
    const created = await globex.admin.ok(createLeadRotation, {
      body: { name: 'R', userRotationArray: members, currentPosition: 3 },
    });
    expect(created.inactiveMembers).toEqual([{ userId: inactive.id, reason: 'inactive' }]);
    const params = { id: created.id };
    expect(created.currentPosition).toBe(1);
    expect(await globex.admin.ok(readLeadRotation, { params })).toEqual(created);
    const bodies = [
      { currentPosition: 2 },
      { currentPosition: 3 },
      { currentPosition: 1 },
      { userRotationArray: members.toReversed(), currentPosition: 3 },
      { userRotationArray: members.slice(1), currentPosition: 1 },
      { userRotationArray: members },
    ];
    for (const body of bodies) {
      const response = await globex.admin.ok(updateLeadRotation, { params, body });
      expect(await globex.admin.ok(readLeadRotation, { params }), JSON.stringify(body)).toEqual(response);
    }
    const { data } = await globex.admin.ok(listEvents, { query: { kind: 'lead_rotation_updated' } });
    const { version } = await globex.admin.ok(readLeadRotation, { params });
    expect(data).toHaveLength(version - 1);
    const outside = await globex.admin.call(updateLeadRotation, { params, body: { currentPosition: 4 } });
    expect(outside.body.error).toBe('position_out_of_range');
  });
});

describe('a new lead', () => {
  test('a new lead is assigned by the rotation of its team, or by the account’s rotation if the team has none', async () => {
    const initech = await tenant();
    const [forTeam, forAll] = await people(2, initech);
    const unassigned = await initech.admin.ok(createLead, { body: lead });
    expect(unassigned.assignedTo).toBeUndefined();
    const west = await initech.admin.ok(createTeam, { body: { name: 'West' } });
    const east = await initech.admin.ok(createTeam, { body: { name: 'East' } });
    await initech.admin.ok(createLeadRotation, {
      body: { name: 'All', userRotationArray: [{ userId: forAll.id, weight: 1 }] },
    });
    await initech.admin.ok(createLeadRotation, {
      body: { name: 'West', teamId: west.id, userRotationArray: [{ userId: forTeam.id, weight: 1 }] },
    });
    const assigneeIn = async (teamId: number) =>
      (await initech.admin.ok(createLead, { body: { ...lead, teamId } })).assignedTo;
    expect(await assigneeIn(west.id)).toBe(forTeam.id);
    expect(await assigneeIn(east.id)).toBe(forAll.id);
    const named = await initech.admin.ok(createLead, {
      body: { ...lead, teamId: west.id, assignedTo: forAll.email },
    });
    expect(named.assignedTo).toBe(forAll.id);

    const params = { leadId: named.id };
    expect((await initech.admin.ok(assignLead, { params })).assignedTo).toBe(forTeam.id);
    expect(
      (await initech.admin.ok(assignLead, { params, body: { assignedTo: null } })).assignedTo,
    ).toBeUndefined();
    expect((await initech.admin.call(assignLead, { params, body: { assignedTo: '42' } })).body.error).toBe(
      'user_unknown',
    );
    const assigned = await initech.admin.ok(listEvents, { query: { kind: 'lead_assigned' } });
    expect(assigned.data.map(({ data }) => data)).toEqual([
      { from: forTeam.id },
      { from: forAll.id, to: forTeam.id },
    ]);
  });

  test('a new lead is not assigned to inactive or deleted members, and stays unassigned if no other member is left', async () => {
    const initech = await tenant();
    const [active, inactive, deleted] = await people(3, initech);
    const members = [active, inactive, deleted].map((person) => ({ userId: person.id, weight: 1 }));
    await initech.admin.ok(createLeadRotation, { body: { name: 'R', userRotationArray: members } });
    await initech.admin.ok(updateUser, { params: { email: inactive.email }, body: { active: false } });
    await initech.admin.ok(deleteUser, { params: { email: deleted.email } });
    for (let n = 0; n < 3; n++)
      expect((await initech.admin.ok(createLead, { body: lead })).assignedTo).toBe(active.id);
    await initech.admin.ok(updateUser, { params: { email: active.email }, body: { active: false } });
    expect((await initech.admin.ok(createLead, { body: lead })).assignedTo).toBeUndefined();
    const { data } = await initech.admin.ok(listEvents, { query: { kind: 'lead_created' } });
    expect(data.map((event) => event.data.unassigned)).toEqual([true, undefined, undefined, undefined]);
  });

  test('a new lead does not advance a rotation that has no eligible member', async () => {
    const initech = await tenant();
    const persons = await people(2, initech);
    const members = persons.map(({ id: userId }) => ({ userId, weight: 1 }));
    await initech.admin.ok(createLeadRotation, { body: { name: 'R', userRotationArray: members } });
    const allActive = async (active: boolean) => {
      for (const { email } of persons)
        await initech.admin.ok(updateUser, { params: { email }, body: { active } });
    };
    await allActive(false);
    await initech.admin.ok(createLead, { body: lead });
    await allActive(true);
    expect((await initech.admin.ok(createLead, { body: lead })).assignedTo).toBe(persons[0]?.id);
  });

  test('a new lead advances the rotation by one position among the eligible members', async () => {
    const initech = await tenant();
    const [ada, bob] = await people(2, initech);
    const members = [
      { userId: ada.id, weight: 2 },
      { userId: bob.id, weight: 3 },
    ];
    const { id } = await initech.admin.ok(createLeadRotation, {
      body: { name: 'R', userRotationArray: members },
    });
    await initech.admin.ok(updateUser, { params: { email: bob.email }, body: { active: false } });
    for (let n = 0; n < 3; n++) await initech.admin.ok(createLead, { body: lead });
    const { currentPosition, version } = await initech.admin.ok(readLeadRotation, { params: { id } });
    expect(currentPosition).toBe(1);
    const same = await initech.admin.ok(updateLeadRotation, { params: { id }, body: { currentPosition } });
    expect(same.version).toBe(version);
  });
});

describe('concurrent leads', () => {
  test(`${crowd} concurrent leads are assigned to the active members by the weights 5, 3 and 1, despite conflicting transactions`, async () => {
    const initech = await tenant();
    const persons = await people(4, initech);
    const weights = [5, 3, 1, 7];
    const members = persons.map(({ id }, index) => ({ userId: id, weight: weights[index] ?? 1 }));
    await initech.admin.ok(createLeadRotation, { body: { name: 'Crowd', userRotationArray: members } });
    await initech.admin.ok(updateUser, { params: { email: persons[3].email }, body: { active: false } });
    injectFaults({ conflicts: 0.2, overlap: true });
    const responses = await concurrently(crowd, () => initech.admin.call(createLead, { body: lead }));
    expect(injected.conflicts).toBeGreaterThan(0);
    noFaults();
    expect(responses.filter(({ status }) => status !== 201).map(({ body }) => body)).toEqual([]);
    const given = persons.map(({ id }) => responses.filter(({ body }) => body.assignedTo === id).length);
    expect(given).toEqual(shares);
  });
});
