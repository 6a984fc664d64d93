import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { queuesFor } from '../../events/routing.ts';
import { byPath, changesBetween, hidden } from '../../shared/events/changes.ts';
import { happened } from '../../shared/events/emit.ts';
import type { EventDraft } from '../../shared/events/envelope.ts';
import { isEventKind } from '../../shared/events/kinds.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { labelled, subjectOf } from '../../shared/events/subject.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { eventKindGroups, eventKinds } from '../../shared/resources/derived.ts';
import type { NoData } from '../../shared/resources/event-data.ts';
import type { KindAbout } from '../../shared/resources/registry.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { mids } from '../../shared/sales/mids/store.ts';
import { authoredBy, revise } from '../../shared/table/revise.ts';
import { codePoint } from '../harness/code-point.ts';

describe('the catalogue of event kinds', () => {
  test('each group contains its event kinds, and no kind is in two groups', () => {
    const sizes = Object.entries(eventKindGroups).map(([group, kinds]) => [group, kinds.length]);
    expect(Object.fromEntries(sizes)).toMatchObject({
      Leads: 9,
      Applications: 6,
      Users: 14,
      Accounts: 7,
      Billing: 4,
      'Audit reveal': 2,
      System: 8,
      'API keys': 3,
      'Lead rotations': 3,
      Teams: 5,
      Roles: 3,
      Files: 5,
      Notes: 3,
      'Lead sources': 5,
      Webhooks: 5,
      Merchants: 3,
      Underwriting: 9,
      'Partner integration': 7,
      'External API': 6,
      'Vanity domains': 4,
      MIDs: 6,
      'Ticket types': 4,
      'Ticket rotations': 5,
      Tickets: 6,
    });
    expect(new Set(eventKinds).size).toBe(eventKinds.length);
  });

  test('a text outside of the catalogue is not an event kind', () => {
    for (const kind of eventKinds) expect(kind).toMatch(/^[a-z]+(_[a-z]+)+$|^healthcheck$/);
    for (const text of ['', 'lead', 'LEAD_CREATED', 'lead_created ', 'constructor', '__proto__'])
      expect(isEventKind(text)).toBe(false);
  });
});

test('an event is sent to the queues that the routing defines', () => {
  const data = { changes: {} };
  for (const kind of eventKinds)
    for (const type of ['lead', 'application', 'team', 'api_key'])
      for (const queue of queuesFor({ kind, subject: { type, id: 1 }, data: {} } as never))
        expect(queueNames).toContain(queue);
  for (const type of ['lead', 'application'] as const)
    expect(queuesFor({ kind: 'lead_created', subject: { type, id: 1 }, data }), type).toContain('audit');
  expect(queuesFor({ kind: 'team_created', subject: { type: 'team', id: 1 }, data })).not.toContain('audit');
  const user = { type: 'user', id: 1 } as const;
  expect(queuesFor({ kind: 'user_updated', subject: user, data })).toContain('search');
  expect(queuesFor({ kind: 'user_logged_in', subject: user, data })).not.toContain('search');
});

const field = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.integer(), { maxLength: 3 }));
/** Fields that are not recorded in changes, because the envelope of the event contains them. */
const bookkeeping = [
  'id',
  'listId',
  'accountId',
  'version',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
];
const state = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', ...bookkeeping), field);

describe('changesBetween', () => {
  test('changes contain exactly the fields that differ, with the old and the new value', () => {
    fc.assert(
      fc.property(state, state, (before, after) => {
        const changes = changesBetween(before, after);
        for (const name of ['a', 'b', 'c', 'd'])
          expect(changes[name]).toEqual(
            JSON.stringify(before[name]) === JSON.stringify(after[name])
              ? undefined
              : { from: before[name], to: after[name] },
          );
        for (const name of bookkeeping) expect(changes).not.toHaveProperty(name);
      }),
    );
  });

  test('changes above 16 KB contain only field names', () => {
    const long = 'я'.repeat(9000);
    expect(changesBetween({ a: 1 }, { a: long, b: 2 })).toEqual({ a: {}, b: {} });
    expect(changesBetween({ a: long }, { a: 1 })).toEqual({ a: {} });
    const short = 'x'.repeat(16_000);
    expect(changesBetween({}, { a: short })).toEqual({ a: { to: short } });
  });

  test('a change of a hidden field is recorded without the old and the new value', () => {
    const state = (secret: unknown, open: unknown) => ({ secret: hidden(secret), open });
    expect(changesBetween(state({ jwe: 'a' }, 1), state({ jwe: 'b' }, 2))).toEqual({
      secret: {},
      open: { from: 1, to: 2 },
    });
    expect(changesBetween(state({ jwe: 'a', faults: [] }, 1), state({ faults: [], jwe: 'a' }, 1))).toEqual(
      {},
    );
    for (const [before, after] of [
      [{}, { secret: hidden('canary') }],
      [{ secret: hidden('canary') }, {}],
      [{ secret: 'canary' }, { secret: hidden('other') }],
    ] as const)
      expect(changesBetween(before, after)).toEqual({ secret: {} });
    expect(JSON.stringify(hidden('canary')) + inspect(hidden('canary'), { showHidden: true })).not.toContain(
      'canary',
    );
  });

  test('the path of a change in a nested record identifies each row by its uniqueId or id', () => {
    const before = {
      basics: { dbaCity: 'Riga', dbaZip: '1' },
      businessOwners: [
        { id: 1, uniqueId: 'u1', name: 'Ada', socialSecurityNumber: hidden('123-45-6789') },
        { id: 2, uniqueId: 'u2', name: 'Bea' },
      ],
      principals: [{ id: 7, share: 50 }],
      labels: ['a', 'b'],
    };
    const after = {
      basics: { dbaCity: 'Oslo', dbaZip: '1' },
      businessOwners: [
        { id: 2, uniqueId: 'u2', name: 'Bea' },
        { id: 1, uniqueId: 'u1', name: 'Eva', socialSecurityNumber: hidden('987-65-4321') },
      ],
      principals: [{ id: 7, share: 40 }],
      labels: ['a'],
    };
    expect(changesBetween(byPath(before), byPath(after))).toEqual({
      'basics.dbaCity': { from: 'Riga', to: 'Oslo' },
      'businessOwners[u1].name': { from: 'Ada', to: 'Eva' },
      'businessOwners[u1].socialSecurityNumber': {},
      'principals[7].share': { from: 50, to: 40 },
      labels: { from: ['a', 'b'], to: ['a'] },
    });
    expect(changesBetween(byPath({ businessOwners: [] }), byPath({ businessOwners: [{ id: 3 }] }))).toEqual({
      'businessOwners[3].id': { to: 3 },
    });
  });
});

const now = new Date('2026-03-01T09:30:00Z');
const record = fc
  .dictionary(fc.constantFrom('a', 'b', 'c'), field)
  .map((fields) => ({ ...fields, version: 1, updatedAt: '2026-01-01T00:00:00Z' }));
const change = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.oneof(field, fc.constant(null), fc.constant(undefined)),
);

test('a revision sets values, clears fields set to null, and increments the version if a value differs', () => {
  fc.assert(
    fc.property(record, change, (before, fields) => {
      const frozen = Object.freeze({ ...before });
      const after = revise(frozen, fields as never, authoredBy('ada', now)) as Record<string, unknown>;
      for (const name of ['a', 'b', 'c'] as const) {
        const value = fields[name];
        const kept = (before as Record<string, unknown>)[name];
        expect(after[name]).toEqual(value === null ? undefined : (value ?? kept));
      }
      const changes = changesBetween(before, after);
      if (Object.keys(changes).length === 0) expect(after).toBe(frozen);
      else expect(after).toMatchObject({ version: 2, updatedAt: now.toISOString(), updatedBy: 'ada' });
    }),
  );
});

describe('a label', () => {
  test('a label is at most 120 characters from the start of the text, and never splits a surrogate pair', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: codePoint, maxLength: 9 }),
        fc.integer({ min: 100, max: 125 }),
        (text, before) => {
          const { label = '' } = labelled('é'.repeat(before) + text);
          expect(label.length).toBeLessThanOrEqual(120);
          expect(`${'é'.repeat(before)}${text}`.startsWith(label)).toBe(true);
          expect(Buffer.from(label).toString()).toBe(label);
        },
      ),
    );
    expect(labelled(`${'x'.repeat(119)}😀`)).toEqual({ label: 'x'.repeat(119) });
    expect(labelled(`${'x'.repeat(118)}😀y`)).toEqual({ label: `${'x'.repeat(118)}😀` });
  });

  test('an empty text, or a value that is not a text, produces no label', () => {
    for (const text of ['', '  \n', undefined, null, 7, {}]) expect(labelled(text)).toEqual({});
  });
});

test('a subject contains only the fields that its type defines', () => {
  const fields = {
    accountId: 'acme' as AccountId,
    version: 3,
    createdAt: '2026-03-01T09:30:00.000Z',
    updatedAt: '2026-03-01T09:30:00.000Z',
  };
  const lead = { ...fields, id: 7, firstName: 'Grace', lastName: 'Hopper', archived: false };
  expect(subjectOf(leads, lead)).toEqual({ type: 'lead', id: 7, version: 3, label: 'Grace Hopper' });
  expect(subjectOf(leads, { ...lead, assignedTo: '12' })).toMatchObject({ assignedTo: '12' });
  const mid = { ...fields, id: 8, mid: '4445', merchantId: 9, status: 'active' as const };
  expect(subjectOf(mids, mid)).toEqual({
    type: 'mid',
    id: 8,
    version: 3,
    label: '4445',
    parent: { type: 'merchant', id: 9 },
  });
});

test('an event whose subject or data does not match its kind does not compile', () => {
  const subject = { type: 'team', id: 1 } as const;
  const right: EventDraft = { kind: 'team_activated', subject, data: {} };
  // @ts-expect-error a team is not a lead
  const wrong: EventDraft = { kind: 'lead_archived', subject, data: {} };
  // @ts-expect-error this kind has no data
  const odd: EventDraft = { kind: 'team_activated', subject, data: { by: 'token' } };
  // @ts-expect-error this kind belongs to leads, not to teams
  happened(teams, 'lead_archived', { id: 1, name: 'North' });
  expect([right, wrong, odd]).toHaveLength(3);
  expectTypeOf<KindAbout<'team', NoData>>().toEqualTypeOf<
    'team_deleted' | 'team_activated' | 'team_deactivated'
  >();
});
