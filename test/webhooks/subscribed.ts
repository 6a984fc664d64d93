import type { Event, EventDraft } from '../../shared/events/envelope.ts';
import { commit } from '../../shared/events/outbox.ts';
import { systemEvent } from '../../shared/events/system-event.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import type { StoredWebhook } from '../../shared/messaging/webhooks/schema.ts';
import { encryptSecret, mintWebhookSecret } from '../../shared/messaging/webhooks/secrets.ts';
import { webhooks } from '../../shared/messaging/webhooks/store.ts';
import type { EventKind } from '../../shared/resources/registry.ts';
import { openDataKeys } from '../../shared/security/data-keys.ts';
import { webhookWorkQueue } from '../../shared/work-queue/keys.ts';

let accounts = 0;
export const newAccount = () => {
  accounts += 1;
  return `deliveries-${accounts}` as AccountId;
};

/** A webhook with its secret, by default subscribed to leads. */
export async function webhook(
  account: AccountId,
  url: string,
  { now, events = ['lead_created'] }: { now: Date; events?: EventKind[] },
) {
  const id = mintId(now);
  const secret = mintWebhookSecret();
  const keys = await openDataKeys({ account, keep: true, deadline: Date.now() + 60_000 });
  const stored: StoredWebhook = {
    id,
    accountId: account,
    version: 1,
    createdAt: now.toISOString(),
    createdBy: 'grace@example.com',
    updatedAt: now.toISOString(),
    updatedBy: 'grace@example.com',
    url,
    events,
    active: true,
    payload: 'full',
    payloadVersion: 1,
    secrets: [await encryptSecret({ accountId: account, id }, 1, secret, keys)],
  };
  await commit({ writes: webhooks.insert(stored), events: [], deadline: Date.now() + 60_000 });
  return { stored, secret, workQueue: webhookWorkQueue(account, id) };
}

/** Writes an event without fan-out. */
export async function happens(
  account: AccountId,
  now: Date,
  draft: Partial<EventDraft> = {},
): Promise<Event> {
  const event = systemEvent(
    {
      kind: 'lead_created',
      subject: { type: 'lead', id: 7, version: 1 },
      data: { changes: {} },
      ...draft,
    } as EventDraft,
    { account, now, schedule: 'test' },
  );
  await commit({ writes: [], events: [event], deadline: Date.now() + 60_000 });
  return event;
}
