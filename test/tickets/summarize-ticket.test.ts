import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccountId } from '../../shared/id/account-id.ts';
import { startClock } from '../../shared/sla/advance-clock.ts';
import { targetsWith } from '../../shared/sla/policy.ts';
import type { StoredTicket } from '../../shared/support/tickets/stored-ticket.ts';
import { largestSummary, summarizeTicket } from '../../shared/support/tickets/summarize-ticket.ts';

const largest = Number.MAX_SAFE_INTEGER;
const at = '2026-03-01T09:30:00.000Z';
const policy = { number: largest, timezone: 'UTC', targets: targetsWith() };
const { clock } = startClock({ at, status: 'waiting_customer', priority: 'urgent', policy });
/** A clock with every field set. */
const fullClock = {
  ...clock,
  ...{ used: largest, paused: largest, standing: largest, entries: largest, reopens: largest },
  ...{ pausedAt: at, resolvedAt: at, closedAt: at, firstResponseBreachedAt: at, resolutionBreachedAt: at },
  ...{ firstResponseTime: largest, resolutionTime: largest },
};

/** Characters with the most bytes in UTF-8 or JSON, and with the fewest bytes. */
const character = fc.constantFrom('😀', '\u0000', '\ud800', 'ж', '"', 'a');
const text = (most: number) =>
  fc.array(character, { minLength: 1, maxLength: most }).map((all) => all.join(''));
const full = (most: number) =>
  fc.oneof(
    character.map((one) => one.repeat(most)),
    text(most),
  );

const ticket = (fields: Partial<StoredTicket>): StoredTicket => ({
  id: largest,
  accountId: 'a'.repeat(64) as AccountId,
  version: largest,
  createdAt: at,
  createdBy: 'a'.repeat(254),
  updatedAt: at,
  updatedBy: 'a'.repeat(254),
  ticketNumber: 'TKT-9007199254740991',
  ticketTypeId: 'tty_7zzzzzzzzzz',
  subject: '',
  description: '',
  status: 'waiting_customer',
  priority: 'urgent',
  category: 'bank_submissions',
  source: 'internal',
  requesterType: 'merchant-internal',
  requesterId: '',
  requesterName: '',
  requesterEmail: '',
  assignedTo: String(largest),
  assignedTeamId: largest,
  merchantId: largest,
  leadId: largest,
  applicationId: 'a'.repeat(64),
  midId: largest,
  tags: [],
  customFields: { model: 'x'.repeat(30_000) },
  metaData: { shop: 'x'.repeat(30_000) },
  lastResponseAt: at,
  lastCustomerResponseAt: at,
  responseCount: largest,
  internalNoteCount: largest,
  commentCount: largest,
  attachmentCount: largest,
  clock: fullClock,
  assignment: { at, by: 'a', how: 'sent' },
  ...fields,
});

test('a summary never exceeds 8 KB', () => {
  const fields = fc.record({
    subject: full(255),
    description: full(65_536),
    requesterId: full(254),
    requesterName: full(401),
    requesterEmail: full(254),
    requesterPhone: full(64),
    merchantName: full(200),
    tags: fc.array(full(64), { maxLength: 50 }),
  });
  fc.assert(
    fc.property(fields, (typed) => {
      const bytes = Buffer.byteLength(JSON.stringify(summarizeTicket(ticket(typed))));
      expect(bytes).toBeLessThanOrEqual(largestSummary);
    }),
    { numRuns: 100 },
  );
});

test('fifty ASCII tags of the maximum length fit into the summary, and only the description is truncated', () => {
  const tags = Array.from({ length: 50 }, (_, n) => String(n).padStart(64, 't'));
  const typed = {
    subject: 's'.repeat(255),
    requesterId: 'i'.repeat(254),
    requesterName: 'n'.repeat(400),
    requesterEmail: 'e'.repeat(254),
    requesterPhone: 'p'.repeat(64),
    merchantName: 'm'.repeat(200),
    tags,
  };
  const summary = summarizeTicket(ticket({ ...typed, description: 'd'.repeat(65_536) }));
  expect(summary).toMatchObject({ ...typed, description: 'd'.repeat(200) });
  for (const field of ['customFields', 'metaData', 'assignment']) expect(summary).not.toHaveProperty(field);
});

test('a summary keeps as many tags as fit into 8 KB, in every script', () => {
  for (const one of ['a', '"', 'é', 'ж', 'ह', '漢', '😀', '\u0000']) {
    const full = (most: number) => one.repeat(most);
    const typed = {
      subject: full(255),
      description: full(65_536),
      requesterId: full(254),
      requesterName: full(401),
      requesterEmail: full(254),
      requesterPhone: full(64),
      merchantName: full(200),
    };
    const tags = Array.from({ length: 50 }, () => full(64));
    const bytesWith = (kept: string[]) =>
      Buffer.byteLength(JSON.stringify({ ...summarizeTicket(ticket({ ...typed, tags: [] })), tags: kept }));
    const kept = summarizeTicket(ticket({ ...typed, tags })).tags;
    expect(bytesWith(kept), one).toBeLessThanOrEqual(largestSummary);
    if (kept.length < 50) expect(bytesWith([...kept, full(64)]), one).toBeGreaterThan(largestSummary - 2);
  }
});
