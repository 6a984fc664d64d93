import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { EmittedKind, KindAbout, NoData } from '../../shared/events/catalogue.ts';
import { happened } from '../../shared/events/emit.ts';
import type { EventDraft } from '../../shared/events/envelope.ts';
import { labelled, subjectOf } from '../../shared/events/subject.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { teams } from '../../shared/people/teams/store.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { mids } from '../../shared/sales/mids/store.ts';

describe('a label', () => {
  test('a label is a prefix of its text with at most 120 characters, cut between characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 9 }),
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

  test('an empty text has no label', () => {
    for (const text of ['', '  \n', undefined, null, 7, {}]) expect(labelled(text)).toEqual({});
  });
});

test('a subject contains what its noun describes, and only fields of the record', () => {
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

test('an event whose subject does not fit its kind does not compile', () => {
  const subject = { type: 'team', id: 1 } as const;
  const right: EventDraft = { kind: 'team_activated', subject, data: {} };
  // @ts-expect-error a team is not a lead
  const wrong: EventDraft = { kind: 'lead_archived', subject, data: {} };
  // @ts-expect-error this kind has no data
  const odd: EventDraft = { kind: 'team_activated', subject, data: { by: 'token' } };
  // @ts-expect-error a reserved kind
  const unknown: EventDraft = { kind: 'invoice_created', subject: { type: 'account', id: 'acme' }, data: {} };
  // @ts-expect-error a team’s store and a kind of leads
  happened(teams, 'lead_archived', { id: 1, name: 'North' });
  expect([right, wrong, odd, unknown]).toHaveLength(4);
  expectTypeOf<'invoice_created'>().not.toMatchTypeOf<EmittedKind>();
  expectTypeOf<KindAbout<'team', NoData>>().toEqualTypeOf<
    'team_deleted' | 'team_activated' | 'team_deactivated'
  >();
});
