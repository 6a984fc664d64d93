import { changesBetween } from '../../events/changes.ts';
import { commit } from '../../events/outbox.ts';
import { subjectOf } from '../../events/subject.ts';
import { systemEvent } from '../../events/system-event.ts';
import { VersionConflict } from '../../table/transact.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import type { StoredWebhook } from './schema.ts';
import { webhooks } from './store.ts';

/** Disables an active webhook, and emits an event with the reason. Returns the stored webhook if it still exists. */
export async function disableWebhook(
  webhook: StoredWebhook,
  reason: string,
  { now, deadline }: Run,
): Promise<StoredWebhook | undefined> {
  const { accountId: account, id } = webhook;
  for (let before: StoredWebhook | undefined = webhook; ; before = await webhooks.find(account, id)) {
    if (!before?.active) return before;
    const { version } = before;
    const after: StoredWebhook = {
      ...before,
      active: false,
      disabledReason: reason,
      version: version + 1,
      updatedAt: now.toISOString(),
      updatedBy: 'system',
    };
    const changes = changesBetween(webhooks.forEvents(before), webhooks.forEvents(after));
    const event = systemEvent(
      { kind: 'webhook_updated', subject: subjectOf(webhooks, after), data: { changes, reason } },
      { account, now, schedule: 'deliveries' },
    );
    try {
      await commit({ writes: webhooks.replace(before, after), events: [event], deadline });
      return after;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
  }
}
