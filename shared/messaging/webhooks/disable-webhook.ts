import { changesBetween } from '../../events/changes.ts';
import { commit } from '../../events/outbox.ts';
import { subjectOf } from '../../events/subject.ts';
import { systemEvent } from '../../events/system-event.ts';
import { VersionConflict } from '../../table/transact.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import type { StoredWebhook } from './schema.ts';
import { webhooks } from './store.ts';

/**
 * Disables a webhook, and emits an event with the reason. If the webhook changed after it was read, for example because
 * a user activated it again, does not disable it: the next response decides. Returns the stored webhook if it still
 * exists.
 */
export async function disableWebhook(
  webhook: StoredWebhook,
  reason: string,
  { now, deadline }: Run,
): Promise<StoredWebhook | undefined> {
  const { accountId: account, id, version } = webhook;
  const after: StoredWebhook = {
    ...webhook,
    active: false,
    disabledReason: reason,
    version: version + 1,
    updatedAt: now.toISOString(),
    updatedBy: 'system',
  };
  const changes = changesBetween(webhooks.forEvents(webhook), webhooks.forEvents(after));
  const event = systemEvent(
    { kind: 'webhook_updated', subject: subjectOf(webhooks, after), data: { changes, reason } },
    { account, now, schedule: 'deliveries' },
  );
  try {
    await commit({ writes: webhooks.replace(webhook, after), events: [event], deadline });
    return after;
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    return webhooks.find(account, id);
  }
}
