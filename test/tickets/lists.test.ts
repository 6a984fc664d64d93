import { describe, expect, test } from 'vitest';
import listTickets from '../../functions/tickets/list-tickets.ts';
import { ticketStatuses } from '../../shared/sla/schema.ts';
import { measure } from '../costs/meter.ts';
import type { ErrorBody } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { newTicketOf, newTypeOf } from './new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const { user: ada, client: adasClient } = await member(acme, ['readTickets']);
const { user: bob } = await member(acme);
const type = await newTypeOf(admin);
const make = (subject: string, fields: object = {}) => newTicketOf(admin, { subject, ...fields });
const made = {
  a: await make('a', { assignedTo: ada.email, priority: 'low', tags: ['pos', 'Wifi', 'ÜBER'] }),
  b: await make('b', { assignedTo: ada.email, status: 'in_progress', priority: 'urgent', tags: ['POS'] }),
  c: await make('c', { assignedTo: bob.email, status: 'resolved', category: 'billing', source: 'phone' }),
  d: await make('d', { priority: 'high', ticketTypeId: type.uniqueId, requesterEmail: 'dot@example.com' }),
  e: await make('e', { status: 'waiting_customer', description: `${'x'.repeat(300)}`, requesterId: 'c-5' }),
  f: await make('f', { status: 'closed', assignedTo: ada.email, requesterName: 'Eve Harbor' }),
};
await newTicketOf((await tenant()).admin);
const list = async (query: object = {}, by: Client = admin) => {
  const { status, body, headers } = await by.call(listTickets, { query });
  expect(status, JSON.stringify(body)).toBe(200);
  return { ...body, subjects: body.data.map(({ subject }) => subject).join(''), headers };
};

describe('GET /tickets', () => {
  test('GET /tickets lists newest first, with totals and SLA fields, and without large fields', async () => {
    const { subjects, data, totalCount } = await list();
    expect([subjects, totalCount]).toEqual(['fedcba', 6]);
    const [last] = data.slice(-1);
    expect(last).toEqual(made.a);
    expect(data[1]?.description).toBe('x'.repeat(200));
    for (const one of data)
      for (const field of ['clock', 'commentCount', 'customFields', 'metaData', 'assignment'])
        expect(one).not.toHaveProperty(field);
  });

  test.each<[object, string]>([
    [{ status: 'open' }, 'da'],
    [{ status: ['resolved', 'closed', 'open'] }, 'fdca'],
    [{ assignedTo: String(ada.id) }, 'fba'],
    [{ assignedTo: 'none' }, 'ed'],
    [{ assignedTo: ['none', String(bob.id)] }, 'edc'],
    [{ assignedTo: 'none', status: 'open' }, 'd'],
    [{ assignedTo: [String(ada.id), String(bob.id)], status: ['resolved', 'closed'] }, 'fc'],
    [{ assignedTo: ada.email.toUpperCase() }, 'fba'],
    [{ assignedTo: [ada.email, 'none'], sort: 'createdAt', search: 'harbor' }, 'f'],
    [
      {
        assignedTo: [bob.email, 'none'],
        ticketNumber: [made.a, made.c, made.d].map((one) => one.ticketNumber),
      },
      'dc',
    ],
    [{ ticketNumber: made.b.ticketNumber.toLowerCase() }, 'b'],
    [{ ticketNumber: [made.b.ticketNumber, made.f.ticketNumber, 'TKT-999999'] }, 'fb'],
    [{ ticketNumber: made.b.ticketNumber, status: 'closed' }, ''],
    [{ ticketNumber: made.d.ticketNumber, assignedTo: 'none', priority: 'high' }, 'd'],
    [{ ticketNumber: made.b.ticketNumber, assignedTo: 'none' }, ''],
    [
      { ticketNumber: [made.a, made.c, made.d].map((one) => one.ticketNumber), assignedTo: String(ada.id) },
      'a',
    ],
    [{ priority: ['low', 'high'] }, 'da'],
    [{ status: 'open', priority: 'low' }, 'a'],
    [{ category: 'billing' }, 'c'],
    [{ source: 'phone' }, 'c'],
    [{ slaStatus: 'paused' }, 'e'],
    [{ tags: 'Pos' }, 'ba'],
    [{ tags: ['wifi', 'none'] }, 'a'],
    [{ tags: 'über' }, 'a'],
    [{ ticketTypeId: type.uniqueId.toUpperCase() }, 'd'],
    [{ ticketTypeId: String(type.id) }, 'd'],
    [{ requesterType: 'lead' }, ''],
    [{ requesterId: 'c-5' }, 'e'],
    [{ requesterEmail: 'dot@example.com' }, 'd'],
    [{ requesterEmail: 'Dot@Example.com' }, 'd'],
    [{ createdBy: acme.adminEmail, status: 'closed' }, 'f'],
    [{ search: 'HARBOR' }, 'f'],
    [{ search: made.c.ticketNumber }, 'c'],
    [{ search: 'wifi' }, 'a'],
    [{ sort: 'priority' }, 'afecdb'],
    [{ sort: '-priority,createdAt' }, 'bdcefa'],
    [{ sort: 'slaResolutionDue', status: ['open', 'in_progress'] }, 'bda'],
    [{ sort: '-slaFirstResponseDue', status: ['open', 'in_progress'] }, 'adb'],
    [{ sort: '-lastCustomerResponseAt' }, 'fedcba'],
    [{ status: ['open', 'closed'], pageSize: 2, page: 2 }, 'a'],
  ])('GET /tickets filters, searches, sorts and pages by %j', async (query, subjects) => {
    const found = await list(query);
    expect(found.subjects).toBe(subjects);
    if (!('page' in query)) expect(found.totalCount).toBe(subjects.length);
  });

  test('the filter assignedTo=me finds the tickets of the user who sends the request, and is rejected for an API key', async () => {
    expect((await list({ assignedTo: 'me' }, adasClient)).subjects).toBe('fba');
    expect((await list({ assignedTo: ['me', 'none'], search: 'harbor' }, adasClient)).subjects).toBe('f');
    expect((await list({ assignedTo: 'me' })).subjects).toBe('');
    expect(await acme.key.call(listTickets, { query: { assignedTo: 'me' } })).toMatchObject({
      status: 400,
      body: { error: 'invalid_input', details: [{ field: 'assignedTo' }] },
    });
  });

  test('the filter assignedTo rejects a value that is neither an id nor the email of a user of the account', async () => {
    const { user: stranger } = await member(await tenant());
    for (const assignedTo of ['#', 'nobody@tenant.test', stranger.email, [ada.email, 'x'], 'me@'])
      for (const more of [{}, { search: 'a' }])
        expect(
          await admin.call(listTickets, { query: { assignedTo, ...more } }),
          String(assignedTo),
        ).toMatchObject({
          status: 400,
          body: { error: 'invalid_input', details: [{ field: 'assignedTo' }] },
        });
  });

  test('without readUsers, the filter assignedTo does not show which addresses belong to users', async () => {
    const { user, client: agent } = await member(acme, ['readTickets']);
    const responses = [];
    for (const assignedTo of [ada.email, 'nobody@tenant.test', acme.adminEmail, [ada.email, 'none']])
      responses.push(await agent.call(listTickets, { query: { assignedTo } }));
    const shown = responses.map(({ status, body }) => {
      const { error, details } = body as Partial<ErrorBody>;
      return [status, error, details];
    });
    expect(shown[0]).toMatchObject([400, 'invalid_input', [{ field: 'assignedTo' }]]);
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1);
    expect((await list({ assignedTo: user.email }, agent)).subjects).toBe('');
  });

  test('status and assignedTo alone use an index of the table; other filters use the search index', async () => {
    const indexes = async (query: object, subjects: string) => {
      const { result, exchanges } = await measure(() => list(query));
      expect([result.subjects, result.totalCount]).toEqual([subjects, subjects.length]);
      const queries = exchanges.filter(({ input }) => input.KeyConditionExpression !== undefined);
      const isSearch = (input: object) => JSON.stringify(input).includes('#SEARCH#');
      return new Set(queries.flatMap(({ input }) => input.IndexName ?? (isSearch(input) ? 'search' : [])));
    };
    const most = 60 / ticketStatuses.length;
    const [first, ...others] = Array.from({ length: most }, (_, n) => String(n + 1));
    expect(await indexes({ assignedTo: ['none', ...others] }, 'ed')).toEqual(new Set(['holder']));
    expect(await indexes({ assignedTo: ['none', first, ...others] }, 'ed')).toEqual(
      new Set(['list', 'search']),
    );
    expect(await indexes({ status: 'open', sort: 'priority' }, 'ad')).toEqual(new Set(['list', 'search']));
  });

  test('a list from an index counts as one call toward the rate limit, and any other list counts as ten calls', () => {
    const weigh = (query: object) => listTickets.contract.weigh?.({ page: 1, pageSize: 25, ...query });
    const status = ['open'];
    const fromIndex = [
      {},
      { status },
      { status, tags: ['vip'] },
      { search: 'vip' },
      { requesterEmail: ['a@b.c'] },
    ];
    expect(fromIndex.map(weigh)).toEqual([1, 1, 1, 1, 1]);
    const assignedTo = Array.from({ length: 61 }, (_, n) => String(n));
    const others = [
      { status, sort: 'priority' },
      { slaStatus: ['breached'] },
      { assignedTo },
      { assignedTo: ['inactive'] },
    ];
    expect(others.map(weigh)).toEqual([10, 10, 10, 10]);
  });

  test('a list shows the current SLA fields', async () => {
    const globex = await tenant();
    await newTicketOf(globex.admin, { priority: 'urgent' });
    expect((await list({ slaStatus: 'on_time' }, globex.admin)).totalCount).toBe(1);
    clock.advance(13 * 60_000);
    expect((await list({ slaStatus: 'at_risk' }, globex.admin)).data[0]?.slaStatus).toBe('at_risk');
    clock.advance(3 * 60_000);
    const [breached] = (await list({ slaStatus: 'breached', status: 'open' }, globex.admin)).data;
    expect(breached).toMatchObject({ slaStatus: 'breached', escalationCount: 1, version: 1 });
    clock.reset();
  });
});
