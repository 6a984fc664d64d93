import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exampleOf } from '../../infra/openapi/example.ts';
import type { Event } from '../../shared/events/envelope.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { dataOf } from '../../shared/messaging/notifications/data-of.ts';
import { cutAt, oneLine } from '../../shared/messaging/notifications/plain-text.ts';
import { render } from '../../shared/messaging/recipients/templates.ts';
import { happeningCatalogue, happenings, notificationTexts } from '../../shared/resources/derived.ts';
import type { Happening } from '../../shared/resources/registry.ts';
import { codePoint } from '../harness/code-point.ts';

type RenderedEvent = Parameters<typeof render>[0];
const kinds = Object.keys(notificationTexts) as RenderedEvent['kind'][];
const portalUrl = 'https://portal.example.com/back-office/';

const eventOf = (kind: RenderedEvent['kind'], more: Partial<RenderedEvent> = {}): RenderedEvent => ({
  kind,
  actor: { user: 'grace@example.com', apiKey: null },
  subject: { type: kind.split('_')[0] ?? '', id: 7, label: 'Ada Byron' },
  data: {},
  ...more,
});

/** Characters that must not appear: control characters, unpaired surrogates, line separators and direction marks. */
const forbidden = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

describe('the text of every kind', () => {
  test.each(kinds)('%s has a subject, a sentence and a link to the portal', (kind) => {
    const { subject, body, error, portalLink, portalLinkDescription } = render(eventOf(kind), { portalUrl });
    expect(subject).toMatch(/^[A-Z].*: Ada Byron$/);
    expect(body).toMatch(/^[A-Z].*\.$/i);
    expect(`${subject} ${body}`).not.toMatch(/undefined|null|\[object/);
    expect(typeof error).toBe('boolean');
    expect(portalLink).toMatch(/^https:\/\/portal\.example\.com\/back-office\/[a-z-]+(\/7(\/deliveries)?)?$/);
    expect(portalLinkDescription).toMatch(/^Open /);
  });

  test.each(happenings)('%s has a subject and a sentence that name the record, and a link', (happening) => {
    const { subject, body, portalLink } = renderHappening(happening);
    expect(subject).toMatch(/^[A-Z][a-z -]+: \S+/);
    expect(subject).not.toContain('acme');
    expect(body).toMatch(/^[A-Z].*\.$/i);
    expect(`${subject} ${body}`).not.toMatch(/undefined|null|\[object|Record changed/);
    expect(portalLink).toMatch(/^https:\/\/portal\.example\.com\/back-office\/[a-z-]+(\/7)?$/);
  });

  test('contains no invisible characters and respects the limits for any input', () => {
    const typed = fc.string({ unit: codePoint, maxLength: 700 });
    const hostile = fc.oneof(
      typed,
      fc.constantFrom('\u202egnp.exe\u0000', `${'🂡'.repeat(300)}`, '\r\nBcc: eve@example.com', '\ud800'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...kinds), hostile, hostile, (kind, label, value) => {
        const data = {
          reason: value,
          to: value,
          name: value,
          error: value,
          decision: value,
          changes: { [value]: {} },
        };
        const event = eventOf(kind, { subject: { type: 'lead', id: 7, label }, data });
        const { subject, body } = render(event, { portalUrl });
        for (const [text, most] of [
          [subject, 150],
          [body, 500],
        ] as const) {
          expect(text).not.toMatch(forbidden);
          expect([...text].length).toBeLessThanOrEqual(most);
        }
      }),
    );
  });
});

test('without a portal address the link is a path', () => {
  for (const kind of kinds) {
    const { portalLink, portalLinkDescription } = render(eventOf(kind), {});
    const withPortal = render(eventOf(kind), { portalUrl });
    expect(portalLink, kind).toMatch(/^\/[a-z-]+(\/7(\/deliveries)?)?$/);
    expect(withPortal.portalLink, kind).toBe(`https://portal.example.com/back-office${portalLink}`);
    expect(portalLinkDescription, kind).toBe(withPortal.portalLinkDescription);
  }
});

test('a label is cut at 80 characters, and a record without a label is shown by its id', () => {
  const named = (label?: string) =>
    render(eventOf('lead_created', { subject: { type: 'lead', id: 7, label } }), {}).subject;
  expect(named('x'.repeat(80))).toBe(`Lead created: ${'x'.repeat(80)}`);
  expect(named('x'.repeat(81))).toBe(`Lead created: ${'x'.repeat(79)}…`);
  expect(named()).toBe('Lead created: 7');
  expect(named('\u202e\u0007 ')).toBe('Lead created: 7');
});

test('error events are marked as errors', () => {
  const errors = kinds.filter((kind) => render(eventOf(kind), {}).error);
  expect(errors.toSorted()).toEqual([
    'api_rate_limited',
    'partner_integration_error',
    'payment_failed',
    'quota_exceeded',
    'system_error',
    'webhook_delivery_failed',
  ]);
  expect(render({ ...eventOf('account_updated'), kind: 'account_updated' }, {}).error).toBe(false);
});

test('the text contains the actor and the action, but no API key', () => {
  const body = (user: string, apiKey: string | null = null) =>
    render(eventOf('lead_archived', { actor: { user, apiKey } }), {}).body;
  expect(body('grace@example.com')).toBe('grace@example.com archived the lead Ada Byron.');
  expect(body('mo_key_acme_1', 'mo_key_acme_1')).toBe('An API key archived the lead Ada Byron.');
  expect(body('system')).toBe('The service archived the lead Ada Byron.');
  expect(body('appKey:app_1')).toBe('The applicant archived the lead Ada Byron.');
  const unassigned = eventOf('ticket_created', {
    data: { changes: {}, unassigned: true, reason: 'no_rotation' },
  });
  expect(render(unassigned, {}).subject).toBe('Ticket without an assignee: Ada Byron');
  const breached = eventOf('ticket_updated', { data: { change: 'sla_breached', target: 'resolution' } });
  expect(render(breached, {}).body).toBe('The ticket Ada Byron missed its target for the resolution.');
  const failed = eventOf('webhook_delivery_failed', { data: { failures: 2, error: 'Status 503.' } });
  expect(render(failed, {}).body).toMatch(/retries\. Number of deliveries: 2\. Reason: Status 503\.$/);
  const roles = eventOf('user_roles_updated', { data: { from: [], to: ['Underwriter', 'Team lead'] } });
  expect(render(roles, {}).body).toMatch(
    /changed the roles of the user Ada Byron to Underwriter, Team lead\.$/,
  );
  const changed = eventOf('lead_updated', {
    data: {
      changes: Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, { to: 'secret' }]),
      ),
    },
  });
  expect(render(changed, {}).body).toBe(
    'grace@example.com changed the lead Ada Byron: a, b, c, d, e and 2 more.',
  );
});

test('times are shown without seconds, and no period follows another mark', () => {
  const data = { write: false, expiresAt: '2026-03-01T09:30:12.345Z', reason: 'Which leads are visible?' };
  expect(render(eventOf('user_impersonated', { data }), {}).body).toMatch(
    / until 2026-03-01 09:30 UTC, and can change nothing\. Reason: Which leads are visible\?$/,
  );
});

/** Renders the notification of a happening with the example of its detail. */
function renderHappening(happening: Happening, more: object = {}) {
  const { resource, change, schema } = happeningCatalogue[happening];
  const detail = { ...(exampleOf(schema, 'response') as object), ...more };
  const data = { resource, change, recordId: 7, happening, detail };
  return render(eventOf('no_event_name', { subject: { type: 'account', id: 'acme' }, data }), { portalUrl });
}

test('a bounce names the recipients, and a complaint is no bounce', () => {
  const addresses = ['ada@example.com', 'bob@example.com'];
  expect(renderHappening('mail_bounced', { addresses, kind: 'permanent', reason: undefined })).toMatchObject({
    subject: expect.stringMatching(/^Mail bounced: /),
    body: expect.stringMatching(/ was not delivered to ada@example\.com, bob@example\.com\.$/),
  });
  expect(renderHappening('mail_bounced', { addresses, kind: 'complaint', reason: undefined })).toMatchObject({
    subject: expect.stringMatching(/^Mail reported as spam: /),
    body: expect.stringMatching(/ was reported as spam by ada@example\.com, bob@example\.com\.$/),
  });
});

test.each(happenings)('the subject of %s repeats no word and has no abbreviation', (happening) => {
  const title = renderHappening(happening).subject.split(':')[0]?.toLowerCase() ?? '';
  const words = title.split(' ');
  expect(new Set(words).size, title).toBe(words.length);
  expect(words).not.toContain('sso');
});

describe('the data of a notification', () => {
  const event = (data: object): Event => ({
    id: 9,
    kind: 'lead_updated',
    version: 1,
    accountId: 'acme' as AccountId,
    actor: { user: 'grace@example.com', apiKey: null },
    subject: { type: 'lead', id: 7, version: 3 },
    data: data as Event['data'],
    request: { method: 'PATCH', path: '/leads/7', headers: {}, ipAddress: '' },
    occurredAt: '2026-03-01T09:30:00.000Z',
  });

  test('contain short values and the names of changed fields, but not the values of these fields', () => {
    const data = dataOf(
      event({
        changes: { company: { from: 'Harbor', to: 'Engines' } },
        bulkId: 'b1',
        reason: 'x'.repeat(81),
      }),
    );
    expect(data).toEqual({
      bulkId: 'b1',
      eventId: 9,
      subject: { type: 'lead', id: 7, version: 3 },
      actor: { user: 'grace@example.com', apiKey: null },
      changedFields: ['company'],
    });
  });

  test('have at most 1 KB, and contain the number of omitted names', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 60 }), { maxLength: 200 });
    fc.assert(
      fc.property(
        names,
        fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.string({ maxLength: 80 })),
        (fields, values) => {
          const changes = Object.fromEntries(fields.map((name) => [name, { to: 'content of a field' }]));
          const data = dataOf(event({ ...values, changes }));
          expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(1024);
          const { changedFields = [], moreFields = 0 } = data as {
            changedFields?: string[];
            moreFields?: number;
          };
          expect(changedFields.length + moreFields).toBe(Object.keys(changes).length);
        },
      ),
    );
  });
});

test('user input becomes one line, and is never cut inside a character', () => {
  expect(oneLine(' a\u202e\r\n\tb\u0000c\u2028d ')).toBe('a b c d');
  expect(oneLine('می\u200cخواهم')).toBe('می\u200cخواهم');
  expect(cutAt('🂡🂡🂡', 2)).toBe('🂡…');
  expect(cutAt('abc', 3)).toBe('abc');
});
