import { beforeAll, describe, expect, test } from 'vitest';
import listEvents from '../../functions/events/list-events.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import readLeadRotation from '../../functions/lead-rotations/read-lead-rotation.ts';
import updateLeadRotation from '../../functions/lead-rotations/update-lead-rotation.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import createUser from '../../functions/users/create-user.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import updateUser from '../../functions/users/update-user.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { crowd, shares } from '../harness/heavy.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

let acme: Tenant;

beforeAll(async () => {
  acme = await tenant();
});

let made = 0;

interface Person {
  id: string;
  email: string;
}

interface People {
  1: [Person];
  2: [Person, Person];
  3: [Person, Person, Person];
  4: [Person, Person, Person, Person];
}

/** Creates users in the account. */
async function people<N extends keyof People>(count: N, of?: Tenant): Promise<People[N]>;
async function people(count: number, of = acme): Promise<Person[]> {
  const users = [];
  for (let n = 0; n < count; n++) {
    made += 1;
    const { id, email } = await of.admin.ok(createUser, {
      body: { email: `person${made}@example.com`, name: `P ${made}` },
    });
    users.push({ id: String(id), email });
  }
  return users;
}

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

  test('a lead rotation keeps its position when the same members are sent again, also after a member was renamed', async () => {
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

  test('a lead rotation with inactive members returns the same position as reading it', async () => {
    const globex = await tenant();
    const [active, inactive] = await people(2, globex);
    await globex.admin.ok(updateUser, { params: { email: inactive.email }, body: { active: false } });
    const members = [active, inactive].map((person) => ({ userId: person.id, weight: 2 }));
    const created = await globex.admin.ok(createLeadRotation, {
      body: { name: 'R', userRotationArray: members, currentPosition: 3 },
    });
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

describe('a member who has not accepted the invitation yet', () => {
  test('a member who has not accepted the invitation yet gets no turn, and the position is the same as in reads', async () => {
    const globex = await tenant();
    const [active] = await people(1, globex);
    await globex.admin.ok(addUserToAccount, { params: { email: acme.adminEmail } });
    const members = [active.email, acme.adminEmail].map((userId) => ({ userId, weight: 2 }));
    const created = await globex.admin.ok(createLeadRotation, {
      body: { name: 'R', userRotationArray: members, currentPosition: 3 },
    });
    const params = { id: created.id };
    expect(created.currentPosition).toBe(1);
    expect(await globex.admin.ok(readLeadRotation, { params })).toEqual(created);
    const body = { userRotationArray: members.toReversed(), currentPosition: 2 };
    const changed = await globex.admin.ok(updateLeadRotation, { params, body });
    expect(changed.currentPosition).toBe(0);
    expect(await globex.admin.ok(readLeadRotation, { params })).toEqual(changed);
  });
});

describe('a new lead', () => {
  test('a new lead is assigned by the rotation of its team, else of the account, else not at all', async () => {
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

  test('a new lead is not assigned to inactive or deleted members, and stays unassigned if no other is left', async () => {
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

  test('a new lead takes no turn in a rotation without an eligible member', async () => {
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

  test('a new lead advances the position of the rotation over the eligible members', async () => {
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
  test(`${crowd} concurrent leads are shared ${shares.join(', ')} by weights 5, 3, 1 without an inactive fourth, despite conflicting transactions`, async () => {
    const initech = await tenant();
    const persons = await people(4, initech);
    const weights = [5, 3, 1, 7];
    const members = persons.map(({ id }, index) => ({ userId: id, weight: weights[index] ?? 1 }));
    await initech.admin.ok(createLeadRotation, { body: { name: 'Crowd', userRotationArray: members } });
    await initech.admin.ok(updateUser, { params: { email: persons[3].email }, body: { active: false } });
    injectFaults({ conflicts: 0.2, overlap: true });
    const responses = await Promise.all(
      Array.from({ length: crowd }, () => initech.admin.call(createLead, { body: lead })),
    );
    expect(injected.conflicts).toBeGreaterThan(0);
    noFaults();
    expect(responses.filter(({ status }) => status !== 201).map(({ body }) => body)).toEqual([]);
    const given = persons.map(({ id }) => responses.filter(({ body }) => body.assignedTo === id).length);
    expect(given).toEqual(shares);
  });
});
