import { describe, expect, test } from 'vitest';
import listEvents from '../../functions/events/list-events.ts';
import createTeam from '../../functions/teams/create-team.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import countViews from '../../functions/views/count-views.ts';
import createView from '../../functions/views/create-view.ts';
import deleteView from '../../functions/views/delete-view.ts';
import listViewRecords from '../../functions/views/list-view-records.ts';
import listViews from '../../functions/views/list-views.ts';
import readView from '../../functions/views/read-view.ts';
import updateView from '../../functions/views/update-view.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { maxViews } from '../../shared/saved-views/schema.ts';
import { quotaKey } from '../../shared/table/keys.ts';
import { kindsOf } from '../functions/event-kinds.ts';
import { member } from '../harness/member.ts';
import { putRange } from '../harness/seed.ts';
import { type Client, type Tenant, tenant } from '../harness/tenant.ts';
import { outcome } from '../tickets/new-tickets.ts';

const acme = await tenant();
const all: Permission[] = ['readLeads', 'readTickets'];
const [west, east] = [
  await acme.admin.ok(createTeam, { body: { name: 'West' } }),
  await acme.admin.ok(createTeam, { body: { name: 'East' } }),
];
const ada = await member(acme, all, { teamId: west.id });
const bob = await member(acme, all, { teamId: west.id });
const eve = await member(acme, all, { teamId: east.id });

const body = { resource: 'lead', name: 'Trade fair', query: { source: 'Fair' }, sharedWith: 'me' } as const;
const create = (by: Client, fields: object = {}) => by.ok(createView, { body: { ...body, ...fields } });
const idsFor = async (by: Client) =>
  (await by.ok(listViews, { query: { builtIn: false, pageSize: 100 } })).data.map(({ id }) => id);

describe('a view', () => {
  test('can be created, read, listed, changed and deleted, and emits events without its content', async () => {
    const before = await kindsOf(acme);
    const view = await create(ada.client, { sort: '-company', query: { source: 'Fair', archived: false } });
    expect(view).toEqual({
      ...body,
      id: expect.any(Number),
      accountId: acme.accountId,
      version: 1,
      createdAt: expect.any(String),
      createdBy: ada.user.email,
      updatedAt: view.createdAt,
      query: { archived: false, source: 'Fair' },
      sort: '-company',
      builtIn: false,
    });
    const params = { id: view.id };
    expect(await ada.client.ok(readView, { params })).toEqual(view);
    expect(await idsFor(ada.client)).toContain(view.id);
    const changes = { name: 'Fair', query: { source: ['Fair', 'Booth'] }, sort: null };
    const changed = await ada.client.ok(updateView, { params, body: changes });
    const { sort: _, ...rest } = view;
    expect(changed).toEqual({
      ...rest,
      name: 'Fair',
      query: { source: ['Fair', 'Booth'] },
      version: 2,
      updatedAt: expect.any(String),
      updatedBy: ada.user.email,
    });
    expect(await ada.client.ok(updateView, { params, body: changed })).toEqual(changed);
    expect(await ada.client.ok(deleteView, { params })).toEqual(changed);
    expect((await ada.client.call(readView, { params })).status).toBe(404);
    expect(await idsFor(ada.client)).not.toContain(view.id);
    expect((await kindsOf(acme)).slice(before.length)).toEqual(Array(3).fill('no_event_name'));
    const { data: events } = await acme.admin.ok(listEvents, { query: { kind: 'no_event_name' } });
    expect(events.slice(0, 3).map(({ data }) => data)).toEqual(
      ['deleted', 'updated', 'created'].map((change) => ({
        ...{ resource: 'view', change, recordId: view.id, happening: `view_${change}` },
        detail: { list: 'lead', sharedWith: 'me' },
      })),
    );
  });

  test('is seen by its creator, by the members of its team, or by everyone in the account', async () => {
    const own = await create(ada.client);
    const ofTeam = await create(ada.client, { sharedWith: 'team' });
    expect(ofTeam.teamId).toBe(west.id);
    const ofAll = await create(ada.client, { sharedWith: 'everyone' });
    const made = [own.id, ofTeam.id, ofAll.id];
    const seenBy = async (by: Client) => {
      const listed = (await idsFor(by)).filter((id) => made.includes(id));
      const counted = (await by.ok(countViews)).data.map(({ id }) => id).filter((id) => made.includes(id));
      expect(counted).toEqual(listed);
      for (const id of made) {
        const status = listed.includes(id) ? 200 : 404;
        expect((await by.call(readView, { params: { id } })).status).toBe(status);
        expect((await by.call(listViewRecords, { params: { id } })).status).toBe(status);
      }
      return listed;
    };
    expect(await seenBy(ada.client)).toEqual(made);
    expect(await seenBy(bob.client)).toEqual([ofTeam.id, ofAll.id]);
    expect(await seenBy(eve.client)).toEqual([ofAll.id]);
    expect(await seenBy(acme.admin)).toEqual([ofAll.id]);
    expect(await seenBy(acme.key)).toEqual([ofAll.id]);
    expect(await seenBy((await tenant()).admin)).toEqual([]);
  });

  test('remains with the team with which it was shared, and its creator always sees it', async () => {
    const mover = await member(acme, all, { teamId: west.id });
    const { id } = await create(mover.client, { sharedWith: 'team' });
    expect((await eve.client.call(updateView, { params: { id }, body: { name: 'Mine' } })).status).toBe(404);
    const shown = await mover.client.ok(updateView, { params: { id }, body: { sharedWith: 'me' } });
    expect(shown.teamId).toBeUndefined();
    expect(await idsFor(bob.client)).not.toContain(id);
    expect(await idsFor(mover.client)).toContain(id);
    const shared = await mover.client.ok(updateView, { params: { id }, body: { sharedWith: 'team' } });
    expect(shared.teamId).toBe(west.id);
    expect(await idsFor(bob.client)).toContain(id);
  });

  test('can be changed and deleted only by its creator and administrators', async () => {
    const { id } = await create(ada.client, { sharedWith: 'everyone' });
    const [params, changes] = [{ id }, { name: 'Another' }];
    for (const by of [bob.client, acme.key]) {
      expect((await by.call(updateView, { params, body: changes })).body.error).toBe('permission_denied');
      expect((await by.call(deleteView, { params })).body.error).toBe('permission_denied');
    }
    expect(await acme.admin.ok(updateView, { params, body: changes })).toMatchObject(changes);
    const { createdBy } = await ada.client.ok(updateView, { params, body: { name: 'Again' } });
    expect(createdBy).toBe(ada.user.email);
    await acme.admin.ok(deleteView, { params });
  });

  test('cannot be shared with a team by a caller without a team', async () => {
    const { client } = await member(acme, all);
    const sent = { body: { ...body, sharedWith: 'team' as const } };
    expect(await outcome(client.call(createView, sent))).toBe('400 sharedWith');
    expect(await outcome(acme.key.call(createView, sent))).toBe('400 sharedWith');
  });

  test('of records that the caller may not read is not listed or counted, and every request for it gets 403', async () => {
    const view = await create(acme.admin, { sharedWith: 'everyone' });
    const { client } = await member(acme, ['readTickets']);
    const params = { id: view.id };
    const { data } = await client.ok(listViews, { query: { pageSize: 100 } });
    expect(new Set(data.map(({ resource }) => resource))).toEqual(new Set(['ticket']));
    const counted = (await client.ok(countViews)).data;
    expect(counted.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
    const responses = [
      await client.call(createView, { body }),
      await client.call(readView, { params }),
      await client.call(listViewRecords, { params }),
      await client.call(updateView, { params, body: { name: 'Mine' } }),
      await client.call(deleteView, { params }),
    ];
    for (const response of responses) expect(response.body.error).toBe('permission_denied');
  });

  test('above 200 views of an account is rejected', async () => {
    const own = await tenant();
    await putRange(0, 1, () => [{ ...quotaKey(own.accountId, 'VIEW', []), count: maxViews }]);
    expect((await own.admin.call(createView, { body })).body.error).toBe('quota_exceeded');
  });
});

describe('a query', () => {
  /** Returns the status and the faulty parameter of a creation and of a change with these fields. */
  const rejected = async (fields: object) => {
    const { id } = await create(ada.client);
    return Promise.all([
      outcome(ada.client.call(createView, { body: { ...body, ...fields } })),
      outcome(ada.client.call(updateView, { params: { id }, body: fields })),
    ]);
  };

  test.each<[string, object, string]>([
    ['an unknown parameter', { query: { colour: 'red' } }, 'colour'],
    ['a parameter of another list', { query: { slaStatus: 'breached' } }, 'slaStatus'],
    ['a value of a wrong type', { query: { archived: 'perhaps' } }, 'archived[0]'],
    ['a value that is no text', { query: { company: { is: 'Acme' } } }, 'company[0]'],
    ['an unknown user', { query: { assignedTo: 'nobody@example.com' } }, 'assignedTo'],
    ['the id of an unknown team', { query: { teamId: 1 } }, 'teamId'],
    ['a malformed time', { query: { updatedAfter: 'yesterday' } }, 'updatedAfter'],
    ['a control character', { query: { search: 'a\u0000b' } }, 'search'],
    ['an unknown field in the sort', { sort: 'shoeSize' }, 'sort'],
    ['a page', { query: { page: 2 } }, 'page'],
    ['a cursor', { query: { cursor: '' } }, 'cursor'],
    ['no value', { query: { company: [] } }, 'company'],
  ])('with %s is rejected with the name of the parameter', async (_, fields, parameter) => {
    expect(await rejected(fields)).toEqual([`400 ${parameter}`, `400 ${parameter}`]);
  });

  test('gets the same error as a request to the list', async () => {
    const query = { status: ['open', 'lost'], priority: 'none', assignedTo: 'nobody' };
    const sent = { ...body, resource: 'ticket' as const, query };
    const ofList = await ada.client.call(listTickets, { query });
    expect(ofList.status).toBe(400);
    expect((await ada.client.call(createView, { body: sent })).body).toEqual(ofList.body);
  });

  test('with more than 1 KB is rejected', async () => {
    const query = { company: ['a'.repeat(600), 'b'.repeat(600)] };
    expect(await outcome(ada.client.call(createView, { body: { ...body, query } }))).toBe('400 query');
  });

  test('contains the ids of users in place of their emails', async () => {
    const { client } = await member(acme, [...all, 'readUsers']);
    const { query } = await create(client, { query: { assignedTo: bob.user.email.toUpperCase() } });
    expect(query).toEqual({ assignedTo: String(bob.user.id) });
    const both = await create(client, { query: { assignedTo: ['me', bob.user.email, 'none'] } });
    expect(both.query).toEqual({ assignedTo: ['me', String(bob.user.id), 'none'] });
  });

  test('with me is rejected for an API key, as by the list', async () => {
    const sent = { body: { ...body, query: { assignedTo: 'me' } } };
    expect(await outcome(acme.key.call(createView, sent))).toBe('400 assignedTo');
  });
});

describe('the built-in views', () => {
  const builtIn = async ({ admin }: Pick<Tenant, 'admin'>) =>
    (await admin.ok(listViews, { query: { builtIn: true } })).data;

  test('exist in every account with the same ids', async () => {
    const views = await builtIn(acme);
    expect(views.map(({ id, name }) => `${id} ${name}`).sort()).toEqual([
      '1 My open tickets',
      '2 Unassigned tickets',
      '3 Tickets due today',
      '4 Breached tickets',
      '5 My leads',
      '6 Leads without contact for 14 days',
      '7 Applications to decide',
      '8 Applications waiting for information',
    ]);
    expect((await builtIn(await tenant())).map(({ id }) => id)).toEqual(views.map(({ id }) => id));
  });

  test('cannot be changed or deleted, even by administrators', async () => {
    const params = { id: 1 };
    expect(await acme.admin.ok(readView, { params })).toMatchObject({
      name: 'My open tickets',
      builtIn: true,
    });
    const responses = [
      await acme.admin.call(updateView, { params, body: { name: 'Mine' } }),
      await acme.admin.call(deleteView, { params }),
    ];
    for (const { body } of responses) expect(body.error).toBe('permission_denied');
  });

  test('have queries that their lists accept', async () => {
    for (const { id, name, ...view } of await builtIn(acme)) {
      await acme.admin.ok(listViewRecords, { params: { id } });
      const { resource, query, sort } = view;
      await acme.admin.ok(createView, { body: { name, resource, query, sort, sharedWith: 'me' } });
    }
  });
});
