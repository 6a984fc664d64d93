import type { EventDraft } from '../../events/envelope.ts';
import { commit } from '../../events/outbox.ts';
import { systemEvent } from '../../events/system-event.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Write } from '../../table/operations.ts';
import { VersionConflict } from '../../table/transact.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import type { StoredMail } from '../mails/schema.ts';
import { mails } from '../mails/store.ts';

/** A changed mail, with the further writes and the events of the same transaction. */
export interface MailChange {
  after: StoredMail;
  writes?: readonly Write[];
  events?: readonly EventDraft[];
}

/**
 * Changes a mail in one transaction with its events. `decide` runs again after a version conflict, and returns undefined if
 * nothing changes. `consumer` is the name of the consumer in the events. Returns undefined if the mail does not exist. Throws
 * the conflict after the deadline.
 */
export async function changeMail(
  { account, mailId, consumer = 'outgoing' }: { account: AccountId; mailId: number; consumer?: string },
  { now, deadline }: Run,
  decide: (mail: StoredMail) => Promise<MailChange | undefined>,
): Promise<StoredMail | undefined> {
  for (;;) {
    const mail = await mails.find(account, mailId);
    const change = mail && (await decide(mail));
    if (!change) return mail;
    const { after, writes = [], events = [] } = change;
    try {
      await commit({
        writes: [...mails.replace(mail, after), ...writes],
        events: events.map((draft) => systemEvent(draft, { account, now, schedule: consumer })),
        deadline,
      });
      return after;
    } catch (error) {
      if (!(error instanceof VersionConflict) || Date.now() >= deadline) throw error;
    }
  }
}
