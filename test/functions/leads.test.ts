import { describe, expect, test } from 'vitest';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import type { Lead } from '../../shared/sales/leads/schema.ts';
import { drain } from '../harness/drain.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { type Client, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const ada = { firstName: 'Ada', lastName: 'Byron' };
const create = (fields: object = {}, by: Client = acme.key): Promise<Lead> =>
  by.ok(createLead, { body: { ...ada, ...fields } });
const byId = ({ id }: { id: number }) => ({ params: { leadId: id } });
const patch = (lead: { id: number }, body: object, headers = {}) =>
  acme.key.call(updateLead, { ...byId(lead), body, headers });
const read = (lead: { id: number }) => acme.admin.ok(readLead, byId(lead));
const codeOf = async (response: ReturnType<Client['call']>) => {
  const { status, body } = await response;
  return status < 400 ? status : `${status} ${body.error}`;
};

test('a lead shows the audit entry that the event pipeline wrote, with its secrets masked', async () => {
  const headers = { 'user-agent': 'curl/8', cookie: 'a=b', 'x-forwarded-for': '10.0.0.1' };
  const lead = await acme.key.ok(createLead, { body: ada, headers, sourceIp: '198.51.100.7' });
  await drain();
  expect((await read(lead)).auditLog).toEqual([
    {
      id: expect.any(Number),
      event: 'lead_created',
      user: acme.apiKey,
      apiKey: acme.apiKey,
      data: {
        changes: { firstName: { to: 'Ada' }, lastName: { to: 'Byron' }, archived: { to: false } },
      },
      created: lead.createdAt,
      requestMethod: 'POST',
      requestPath: '/leads',
      requestHeaders: {
        host: 'api.test',
        'content-type': 'application/json',
        'user-agent': 'curl/8',
        'x-account-id': acme.accountId,
        authorization: '[masked]',
      },
      requestIpAddress: '198.51.100.7',
      account_id: acme.accountId,
    },
  ]);
});

describe('POST /leads', () => {
  test('POST /leads answers with the lead as it will be read, archived false and version 1', async () => {
    const fields = {
      email: 'ada@example.com',
      numberOfEmployees: 3,
      monthlyTransactionVolume: 25_000,
      interestedInSwitching: true,
      lastContacted: '2026-03-01T09:30:00.000Z',
      notes: 'Zeile 1\nЗаметка 😀 \uffff\ufffe\u0000',
    };
    const lead = await create(fields);
    expect(lead).toMatchObject({ ...ada, ...fields, accountId: acme.accountId, archived: false, version: 1 });
    expect(lead.createdBy).toBe(acme.apiKey);
    const { auditLog: _, ...stored } = await read(lead);
    expect(stored).toEqual(lead);
  });

  test('POST /leads stores the id of the user that assignedTo names by email or by id, and refuses everybody else', async () => {
    const other = await tenant();
    const lead = await create({ assignedTo: acme.adminEmail.toUpperCase() });
    expect(lead.assignedTo).toMatch(/^\d+$/);
    expect((await create({ assignedTo: lead.assignedTo })).assignedTo).toBe(lead.assignedTo);
    for (const assignedTo of [other.adminEmail, 'nobody@tenant.test', '1', acme.apiKey]) {
      const { status, body } = await acme.key.call(createLead, { body: { ...ada, assignedTo } });
      expect([status, body.error], assignedTo).toEqual([400, 'user_unknown']);
      expect(body.details).toEqual([
        { field: 'assignedTo', message: 'is not an active user of this account' },
      ]);
    }
  });
});

describe('PATCH /leads/{leadId}', () => {
  test('PATCH /leads/{leadId} changes the given fields, clears with null and keeps the rest', async () => {
    const lead = await create({ company: 'Analytical Engines', phone: '1', notes: 'x' });
    const changed = await patch(lead, { company: 'Difference Engines', phone: null });
    const { phone: _, ...kept } = lead;
    expect(changed.body).toEqual({
      ...kept,
      company: 'Difference Engines',
      version: 2,
      updatedAt: expect.any(String),
      updatedBy: acme.apiKey,
    });
    expect(changed.headers.etag).toBe('"2"');
    expect(await read(lead)).toMatchObject(changed.body);
  });

  test('PATCH /leads/{leadId} of a lead that is not there is 404, whatever else is wrong with what it names', async () => {
    const body = { assignedTo: 'nobody@tenant.test', teamId: 1 };
    expect(await codeOf(patch({ id: 1 }, body))).toBe('404 not_found');
  });

  test('PATCH /leads/{leadId} cannot clear a name, and says so', async () => {
    const lead = await create();
    for (const body of [
      { firstName: null },
      { lastName: '' },
      { email: 'x'.repeat(1001) },
      { numberOfEmployees: -1 },
    ])
      expect(await codeOf(patch(lead, body)), JSON.stringify(body)).toBe('400 invalid_input');
  });

  test('the email and phone of a lead are free text, and an empty text clears them', async () => {
    const empty = await create({ email: '', phone: '' });
    expect([empty.email, empty.phone]).toEqual([undefined, undefined]);
    const text = { email: 'ask at the counter', phone: `${'call the shop '.repeat(6)}` };
    const lead = await create(text);
    expect(lead).toMatchObject(text);
    const found = await acme.key.ok(listLeads, { query: { email: text.email } });
    expect(found.data.map(({ id }) => id)).toEqual([lead.id]);
    const phoneless = (await patch(lead, { phone: '' })).body;
    expect([phoneless.email, phoneless.phone, phoneless.version]).toEqual([text.email, undefined, 2]);
    expect((await patch(lead, { phone: '' })).body.version).toBe(2);
    expect((await patch(lead, { email: '' })).body).not.toHaveProperty('email');
    expect(await read(lead)).not.toHaveProperty('email');
    expect((await storedEvents(acme.accountId)).at(-1)?.data).toEqual({
      changes: { email: { from: text.email } },
    });
  });

  test('PATCH /leads/{leadId}: a stale If-Match is 412 and changes nothing; the present one passes, and so does *', async () => {
    const lead = await create();
    expect(await codeOf(patch(lead, { company: 'A' }, { 'if-match': '"1"' }))).toBe(200);
    for (const stale of ['"1"', '"3"', '"0"'])
      expect(await codeOf(patch(lead, { company: 'B' }, { 'if-match': stale }))).toBe('412 version_mismatch');
    for (const wrong of ['1', 'W/"2"', '"2", "3"', 'x', ''])
      expect(await codeOf(patch(lead, { company: 'B' }, { 'if-match': wrong })), wrong).toBe(
        '400 invalid_if_match',
      );
    expect(await read(lead)).toMatchObject({ company: 'A', version: 2 });
    expect(await codeOf(patch(lead, { company: 'C' }, { 'if-match': '"2"' }))).toBe(200);
    expect(await codeOf(patch(lead, { company: 'D' }, { 'if-match': '*' }))).toBe(200);
  });

  test('PATCH /leads/{leadId}: a stale If-Match is 412 even where the change would change nothing', async () => {
    const lead = await create({ company: 'A' });
    await patch(lead, { company: 'B' });
    expect(await codeOf(patch(lead, { company: 'B' }, { 'if-match': '"1"' }))).toBe('412 version_mismatch');
  });

  test('a change of the assignee is two events, one for the change and one for the assignment', async () => {
    const lead = await create();
    const assigned = await patch(lead, { assignedTo: acme.adminEmail });
    const again = await patch(lead, { assignedTo: acme.adminEmail });
    expect(again.body).toEqual(assigned.body);
    await patch(lead, { assignedTo: null });
    await drain();
    const { auditLog } = await read(lead);
    expect(auditLog.map(({ event, data }) => [event, data]).reverse()).toMatchObject([
      ['lead_created', {}],
      ['lead_updated', { changes: { assignedTo: { to: assigned.body.assignedTo } } }],
      ['lead_assigned', { to: assigned.body.assignedTo }],
      ['lead_updated', { changes: { assignedTo: { from: assigned.body.assignedTo } } }],
      ['lead_assigned', { from: assigned.body.assignedTo }],
    ]);
  });
});

test('when a lead was last contacted is an instant, stored and answered in UTC, whatever zone it was told in', async () => {
  const lead = await create({ lastContacted: '2026-03-01T10:30:00+01:00' });
  expect(lead.lastContacted).toBe('2026-03-01T09:30:00.000Z');
  for (const lastContacted of ['2026-03-01T04:30:00-05:00', '2026-03-01T09:30:00']) {
    const same = await patch(lead, { lastContacted });
    expect([same.status, same.body.version]).toEqual([200, 1]);
  }
  const later = await patch(lead, { lastContacted: '2026-03-01T09:30:00-05:00' });
  expect(later.body).toMatchObject({ lastContacted: '2026-03-01T14:30:00.000Z', version: 2 });
  expect((await patch(lead, { lastContacted: null })).body.lastContacted).toBeUndefined();
});

test('a list is ordered by when a lead was last contacted, as instants come and not as they were written', async () => {
  const globex = await tenant();
  const told = [
    ['third', '2026-03-01T02:00:00Z'],
    ['first', '2026-03-01T12:00:00+14:00'],
    ['fourth', '2026-02-28T23:00:00-04:00'],
    ['second', '2026-02-28T23:30:00Z'],
  ] as const;
  for (const [lastName, lastContacted] of told) await create({ lastName, lastContacted }, globex.key);
  const order = async (sort: string) =>
    (await globex.admin.ok(listLeads, { query: { sort } })).data.map(({ lastName }) => lastName);
  expect(await order('lastContacted')).toEqual(['first', 'second', 'third', 'fourth']);
  expect(await order('-lastContacted')).toEqual(['fourth', 'third', 'second', 'first']);
});

test('when a lead was last contacted is no leap second and no day that there is not', async () => {
  for (const lastContacted of ['2026-06-30T23:59:60Z', '2026-02-30T00:00:00Z', '2026-02-30', '']) {
    const { status, body } = await acme.key.call(createLead, { body: { ...ada, lastContacted } });
    expect([status, body.details?.[0]?.field], lastContacted).toEqual([400, 'lastContacted']);
  }
});

test('a lead without its required team or source is refused unless the caller waives the requirement', async () => {
  const { key } = await tenant();
  const made = (body: object, query = {}) =>
    codeOf(key.call(createLead, { body: { ...ada, ...body }, query }));
  const { id: teamId } = await key.ok(createTeam, { body: { name: 'West' } });
  expect(await made({})).toBe('400 team_required');
  await key.ok(createLeadSource, { body: { name: 'Fair', teamId } });
  expect(await made({ teamId })).toBe('400 lead_source_required');
  const waived = { skipTeamAndSourceRequirement: true };
  expect([await made({}, waived), await made({ teamId }, waived)]).toEqual([201, 201]);
  expect(await made({ teamId: 1 }, waived)).toBe('400 team_unknown');
});

test('a lead moves only to where it could have been made, and is left alone by other changes', async () => {
  const { key } = await tenant();
  const lead = await create({}, key);
  const west = await key.ok(createTeam, { body: { name: 'West' } });
  const source = await key.ok(createLeadSource, { body: { name: 'Fair', teamId: west.id } });
  const east = await key.ok(createTeam, { body: { name: 'East' } });
  const move = (body: object) => codeOf(key.call(updateLead, { ...byId(lead), body }));
  expect(await move({ company: 'A lead from before there were teams' })).toBe(200);
  expect(await move({ teamId: west.id })).toBe('400 lead_source_required');
  expect(await move({ teamId: west.id, leadSourceId: source.id })).toBe(200);
  expect(await move({ teamId: east.id })).toBe('400 lead_source_unknown');
  expect(await move({ teamId: east.id, leadSourceId: null })).toBe(200);
  expect(await move({ teamId: null })).toBe('400 team_required');
});

test('a team or source of another account is as unknown as none', async () => {
  const { key } = await tenant();
  const team = await key.ok(createTeam, { body: { name: 'Theirs' } });
  const source = await key.ok(createLeadSource, { body: { name: 'Theirs' } });
  for (const [body, code] of [
    [{ teamId: team.id }, '400 team_unknown'],
    [{ leadSourceId: source.id }, '400 lead_source_unknown'],
  ] as const)
    expect(await codeOf(acme.key.call(createLead, { body: { ...ada, ...body } }))).toBe(code);
});

describe('GET /leads', async () => {
  const { key } = await tenant();
  const people = [
    { firstName: 'Ada', company: 'Engines', email: 'ada@one.test', monthlyTransactionVolume: 30 },
    { firstName: 'Bea', company: 'engine works', interestedInSwitching: true },
    { firstName: 'Cyd', company: 'Bakery', email: 'cyd@two.test', monthlyTransactionVolume: 10 },
    { firstName: 'Dot', company: 'Bakery', interestedInSwitching: false, monthlyTransactionVolume: 20 },
    { firstName: 'Eve', notes: 'met at the bakery' },
  ];
  for (const person of people) await create(person, key);
  const list = async (query: object = {}) => {
    const { data, ...totals } = (await key.ok(listLeads, { query })) as { data: Lead[]; totalCount: number };
    return { names: data.map(({ firstName }) => firstName).join(' '), data, ...totals };
  };

  test('GET /leads is newest first, with totals, and without audit logs', async () => {
    const { names, data, ...totals } = await list();
    expect(names).toBe('Eve Dot Cyd Bea Ada');
    expect(totals).toEqual({ totalCount: 5, totalPages: 1, currentPage: 1 });
    expect(data.every((lead) => !('auditLog' in lead))).toBe(true);
  });

  test.each<[object, string]>([
    [{ company: 'Bakery' }, 'Dot Cyd'],
    [{ company: 'bakery' }, ''],
    [{ company: ['Bakery', 'Engines'] }, 'Dot Cyd Ada'],
    [{ company: 'Bakery', email: 'cyd@two.test' }, 'Cyd'],
    [{ interestedInSwitching: true }, 'Bea'],
    [{ interestedInSwitching: [true, false] }, 'Dot Bea'],
    [{ archived: true }, ''],
    [{ search: 'ENGINE' }, 'Bea Ada'],
    [{ search: 'bakery' }, 'Eve Dot Cyd'],
    [{ search: 'bakery', company: 'Bakery', sort: 'firstName' }, 'Cyd Dot'],
    [{ sort: 'firstName' }, 'Ada Bea Cyd Dot Eve'],
    [{ sort: '-firstName' }, 'Eve Dot Cyd Bea Ada'],
    [{ sort: 'createdAt' }, 'Ada Bea Cyd Dot Eve'],
    [{ sort: '-createdAt' }, 'Eve Dot Cyd Bea Ada'],
    [{ sort: 'monthlyTransactionVolume' }, 'Cyd Dot Ada Eve Bea'],
    [{ sort: '-monthlyTransactionVolume' }, 'Ada Dot Cyd Eve Bea'],
    [{ sort: 'company,-firstName' }, 'Dot Cyd Bea Ada Eve'],
    [{ pageSize: 2, page: 2 }, 'Cyd Bea'],
    [{ pageSize: 2, page: 3 }, 'Ada'],
    [{ pageSize: 2, page: 4 }, ''],
    [{ pageSize: 2, page: 2, sort: 'firstName' }, 'Cyd Dot'],
  ])('GET /leads filters, searches, sorts and pages by %j', async (query, names) => {
    expect((await list(query)).names).toBe(names);
  });

  test('GET /leads refuses a filter, a sort or a value that it does not have', async () => {
    for (const query of [
      { notes: 'x' },
      { firstName: 'Ada' },
      { sort: 'notes' },
      { sort: '' },
      { sort: 'firstName,' },
      { archived: 'maybe' },
      { teamId: 'west' },
      { page: [1, 2] },
    ])
      expect(await codeOf(key.call(listLeads, { query })), JSON.stringify(query)).toBe('400 invalid_input');
  });
});

test('a lead of a team that is gone can be moved without a word about the team', async () => {
  const acme = await tenant();
  const team = await acme.admin.ok(createTeam, { body: { name: 'West' } });
  const { id } = await acme.admin.ok(createLead, {
    body: { firstName: 'A', lastName: 'B', teamId: team.id },
  });
  await acme.admin.ok(deleteTeam, { params: { id: team.id } });
  const source = await acme.admin.ok(createLeadSource, { body: { name: 'Fair' } });
  const moved = await acme.admin.ok(updateLead, {
    params: { leadId: id },
    body: { leadSourceId: source.id },
  });
  expect(moved).toMatchObject({ teamId: team.id, leadSourceId: source.id });
});
