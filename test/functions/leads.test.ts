import { describe, expect, test } from 'vitest';
import listEvents from '../../functions/events/list-events.ts';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import archiveLead from '../../functions/leads/archive-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import disqualifyLead from '../../functions/leads/disqualify-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import qualifyLead from '../../functions/leads/qualify-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import unarchiveLead from '../../functions/leads/unarchive-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import type { Lead } from '../../shared/sales/leads/schema.ts';
import { auditRange, recordKey } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';
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

test('the event pipeline writes the audit entry of a lead, and the entry contains no secrets', async () => {
  const headers = { 'user-agent': 'curl/8', cookie: 'a=b', 'x-forwarded-for': '10.0.0.1' };
  const lead = await acme.key.ok(createLead, { body: ada, headers, sourceIp: '198.51.100.7' });
  await drain();
  expect((await read(lead)).auditLog).toEqual([
    {
      id: expect.any(Number),
      event: 'lead_created',
      user: acme.apiKey,
      apiKey: acme.apiKey,
      data: { changes: { firstName: { to: 'Ada' }, lastName: { to: 'Byron' }, archived: { to: false } } },
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
  test('POST /leads returns the lead as stored, with archived false and version 1', async () => {
    const fields = {
      email: 'ada@example.com',
      numberOfEmployees: 3,
      monthlyTransactionVolume: 25_000,
      interestedInSwitching: true,
      lastContacted: '2026-03-01T09:30:00.000Z',
      notes: 'Zeile 1\nЗаметка 😀 \uffff\ufffe',
    };
    const lead = await create(fields);
    expect(lead).toMatchObject({ ...ada, ...fields, accountId: acme.accountId, archived: false, version: 1 });
    expect(lead.createdBy).toBe(acme.apiKey);
    const { auditLog: _, ...stored } = await read(lead);
    expect(stored).toEqual(lead);
  });

  test('POST /leads accepts the id or email of an active user as assignedTo, stores the id, and rejects other users', async () => {
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
  test('PATCH /leads/{leadId} changes the sent fields, clears fields sent as null, and keeps all other fields', async () => {
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

  test('PATCH /leads/{leadId} returns 404 for an unknown lead, even if the body refers to unknown records', async () => {
    const body = { assignedTo: 'nobody@tenant.test', teamId: 1 };
    expect(await codeOf(patch({ id: 1 }, body))).toBe('404 not_found');
  });

  test('PATCH /leads/{leadId} returns 400 for an empty name or another invalid value', async () => {
    const lead = await create();
    for (const body of [
      { firstName: null },
      { lastName: '' },
      { email: 'x'.repeat(1001) },
      { numberOfEmployees: -1 },
    ])
      expect(await codeOf(patch(lead, body)), JSON.stringify(body)).toBe('400 invalid_input');
  });

  test('PATCH /leads/{leadId} accepts any text as email and phone, and an empty text clears them', async () => {
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

  test('PATCH /leads/{leadId} with an outdated If-Match returns 412 and changes nothing', async () => {
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

  test('PATCH /leads/{leadId} with a new assignee emits lead_updated and lead_assigned', async () => {
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

test('lastContacted of a lead is accepted in any time zone, and stored and returned in UTC', async () => {
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

test('a lead without a required team or source is rejected unless skipTeamAndSourceRequirement is set', async () => {
  const { key } = await tenant();
  const made = (body: object, query = {}) =>
    codeOf(key.call(createLead, { body: { ...ada, ...body }, query }));
  const { id: teamId } = await key.ok(createTeam, { body: { name: 'West' } });
  expect(await made({})).toBe('400 team_required');
  await key.ok(createLeadSource, { body: { name: 'Fair', teamId } });
  expect(await made({ teamId })).toBe('400 lead_source_required');
  const skip = { skipTeamAndSourceRequirement: true };
  expect([await made({}, skip), await made({ teamId }, skip)]).toEqual([201, 201]);
  expect(await made({ teamId: 1 }, skip)).toBe('400 team_unknown');
});

test('the team and source of a lead are checked only when one of them changes', async () => {
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

test('a team or source of another account is rejected as unknown', async () => {
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

  test('GET /leads lists the newest first, with totals and without audit logs', async () => {
    const { names, data, ...totals } = await list();
    expect(names).toBe('Eve Dot Cyd Bea Ada');
    expect(totals).toEqual({ totalCount: 5, totalPages: 1, currentPage: 1 });
    expect(data.every((lead) => !('auditLog' in lead))).toBe(true);
  });

  test.each<[object, string]>([
    [{ company: 'Bakery' }, 'Dot Cyd'],
    [{ company: ' bAkéry ' }, 'Dot Cyd'],
    [{ company: 'bak' }, ''],
    [{ company: ['Bakery', 'Engines'] }, 'Dot Cyd Ada'],
    [{ company: 'Bakery', email: 'cyd@two.test' }, 'Cyd'],
    [{ interestedInSwitching: true }, 'Bea'],
    [{ interestedInSwitching: [true, false] }, 'Dot Bea'],
    [{ archived: true }, ''],
    [{ search: 'ENGINE' }, 'Bea Ada'],
    [{ search: 'bakery' }, 'Dot Cyd Eve'],
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

  test('a search finds a lead by words of several fields and by its phone number, in any notation', async () => {
    const { key } = await tenant();
    const lead = { firstName: 'José', lastName: 'Núñez', company: 'Navy Yard', location: 'Bahnhof Straße 1' };
    await create({ ...lead, phone: '(415) 555-0134' }, key);
    for (const search of [
      'José Núñez',
      'nunez',
      'Nu\u0301n\u0303ez',
      'strasse',
      'José ',
      '4155550134',
      '555-0134',
      'yard jos 0134',
    ])
      expect(await key.ok(listLeads, { query: { search } }), search).toMatchObject({ totalCount: 1 });
    expect(await key.ok(listLeads, { query: { company: 'navy yard' } })).toMatchObject({ totalCount: 1 });
  });

  test('GET /leads rejects an unknown filter, sort or value', async () => {
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

test('the source of a lead can be changed after its team was deleted', async () => {
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

test('every change of a lead is in its audit log, with the changed fields', async () => {
  const { id: leadId } = await acme.key.ok(createLead, { body: { ...ada, company: 'Analytical Engines' } });
  const params = { leadId };
  await acme.admin.ok(updateLead, { params, body: { company: 'Difference Engines', phone: '1' } });
  await acme.admin.ok(updateLead, { params, body: { company: 'Difference Engines' } });
  expect(await acme.admin.ok(qualifyLead, { params, body: { reason: 'Large volume' } })).toMatchObject({
    qualification: 'qualified',
    qualificationReason: 'Large volume',
  });
  await acme.admin.ok(qualifyLead, { params, body: { reason: 'Large volume' } });
  const disqualified = await acme.admin.ok(disqualifyLead, { params });
  expect([disqualified.qualification, disqualified.qualificationReason]).toEqual(['disqualified', undefined]);
  expect((await acme.admin.ok(archiveLead, { params })).archived).toBe(true);
  expect((await acme.admin.ok(archiveLead, { params })).version).toBe(5);
  expect((await acme.admin.ok(unarchiveLead, { params })).archived).toBe(false);
  await acme.admin.ok(updateLead, { params, body: { assignedTo: acme.adminEmail } });
  await drain();
  const { auditLog, assignedTo } = await acme.admin.ok(readLead, { params });
  expect(auditLog.map(({ event }) => event).reverse()).toEqual([
    'lead_created',
    'lead_updated',
    'lead_qualified',
    'lead_disqualified',
    'lead_archived',
    'lead_unarchived',
    'lead_updated',
    'lead_assigned',
  ]);
  expect(auditLog.at(-2)?.data).toEqual({
    changes: { company: { from: 'Analytical Engines', to: 'Difference Engines' }, phone: { to: '1' } },
  });
  expect(auditLog[0]?.data).toEqual({ to: assignedTo });
});

test('a deleted lead is removed from reads, lists and totals, together with its audit log', async () => {
  const lead = await acme.admin.ok(createLead, { body: { ...ada, company: 'Analytical Engines' } });
  const params = { leadId: lead.id };
  await drain();
  const before = await acme.admin.ok(listLeads);
  const deleted = await acme.admin.ok(deleteLead, { params });
  expect(deleted).toMatchObject({ id: lead.id, firstName: 'Ada' });
  for (const gone of [readLead, updateLead, deleteLead, archiveLead])
    expect((await acme.admin.call(gone as typeof deleteLead, { params, body: {} as never })).status).toBe(
      404,
    );
  const after = await acme.admin.ok(listLeads);
  expect(after.totalCount).toBe(before.totalCount - 1);
  expect(after.data.map(({ id }) => id)).not.toContain(lead.id);

  await drain();
  const partition = recordKey(acme.accountId, 'LEAD', lead.id).pk;
  expect(await queryItems({ partition, sortKey: auditRange })).toEqual([]);
  const [tombstone, ...others] = await queryItems({ partition });
  expect(others).toEqual([]);
  expect(Object.keys(tombstone ?? {}).sort()).toEqual(['deletedAt', 'id', 'pk', 'sk']);
  const { data } = await acme.admin.ok(listEvents, { query: { kind: 'lead_deleted' } });
  expect(data.map(({ subject }) => subject.id)).toContain(lead.id);
});
