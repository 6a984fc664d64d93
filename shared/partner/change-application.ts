import type { Actor, EventDraft } from '../events/envelope.ts';
import { commit } from '../events/outbox.ts';
import { subjectOf } from '../events/subject.ts';
import { systemEvent } from '../events/system-event.ts';
import type { AccountId } from '../id/account-id.ts';
import { applicationSubject } from '../sales/applications/record/event-fields.ts';
import type { PartnerState } from '../sales/applications/record/partner-schema.ts';
import type { StoredApplication } from '../sales/applications/record/stored-application.ts';
import { applications } from '../sales/applications/store.ts';
import type { Write } from '../table/operations.ts';
import { authoredBy, revise } from '../table/revise.ts';
import { VersionConflict } from '../table/transact.ts';
import type { Run } from '../work-queue/work-handler.ts';

/** The author of the changes that the partner's events cause. */
export const partnerActor: Actor = { user: 'partner', apiKey: null };

/** A change of an application's partner state, with its events and further writes of the same transaction. */
interface PartnerChange {
  partner: PartnerState;
  /** The events about the change, of which at least one is about the application. */
  events(after: StoredApplication): EventDraft[];
  writes?: Write[];
}

interface PartnerChangeInput {
  account: AccountId;
  applicationId: string;
  /** Default: the system. */
  actor?: Actor;
}

/**
 * Changes the partner state of an application in one transaction with the events. `decide` runs again after a version
 * conflict, and returns undefined if nothing changes. Returns the result of the last `decide`. Throws the conflict after
 * the deadline.
 */
export async function changePartnerState<C extends PartnerChange>(
  { account, applicationId, actor }: PartnerChangeInput,
  { now, deadline }: Run,
  decide: (application: StoredApplication, partner: PartnerState) => Promise<C | undefined> | C | undefined,
): Promise<C | undefined> {
  for (;;) {
    const application = await applications.find(account, applicationId);
    const before = application?.admin.partner;
    const change = application && before && (await decide(application, before));
    if (!change) return undefined;
    const admin = { ...application.admin, partner: change.partner };
    const after = revise(application, { admin }, authoredBy(actor?.user ?? 'system', now));
    const events = change
      .events(after)
      .map((draft) => systemEvent(draft, { account, now, schedule: 'partner', actor }));
    const writes = [...applications.replace(application, after), ...(change.writes ?? [])];
    try {
      await commit({ writes, events, deadline });
      return change;
    } catch (error) {
      if (!(error instanceof VersionConflict) || Date.now() >= deadline) throw error;
    }
  }
}

export const subjectOfApplication = (application: StoredApplication) =>
  subjectOf(applicationSubject, application);
