import type { Event } from '../../shared/events/envelope.ts';
import type { AccountId } from '../../shared/id/account-id.ts';

/** A `lead_created` event. The given fields replace the defaults. */
export const anEvent = (event: Partial<Event> = {}): Event => ({
  id: 1,
  kind: 'lead_created',
  version: 1,
  accountId: 'acc_1' as AccountId,
  actor: { user: 'ann@example.com', apiKey: null },
  subject: { type: 'lead', id: 7 },
  data: { changes: {} },
  request: { method: 'POST', path: '/leads', headers: {}, ipAddress: '127.0.0.1' },
  occurredAt: '2026-01-01T00:00:00.000Z',
  ...event,
});
