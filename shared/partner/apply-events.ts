import type { Effects } from '../events/envelope.ts';
import { subjectOf } from '../events/subject.ts';
import { systemEvent } from '../events/system-event.ts';
import type { AccountId } from '../id/account-id.ts';
import type { PartnerState } from '../sales/applications/record/partner-schema.ts';
import type { StoredApplication } from '../sales/applications/record/stored-application.ts';
import { applications } from '../sales/applications/store.ts';
import { applicationNotes } from '../sales/applications/underwriting/notes.ts';
import { newRecord } from '../table/record-fields.ts';
import { authoredBy } from '../table/revise.ts';
import type { WorkQueue } from '../work-queue/keys.ts';
import type { AttemptResult, AttemptRun, WorkHandler } from '../work-queue/work-handler.ts';
import { applyStatus, withPartner } from './apply-status.ts';
import { addPartnerComment, createPartnerTicket, unknownTicket } from './apply-tickets.ts';
import { partnerActor } from './change-application.ts';
import type { PartnerEventData } from './event-schema.ts';
import { integrationErrorDraft } from './integration-error.ts';
import { isKnownType, type PartnerEventContent, type PartnerEventType } from './known-events.ts';

/** A comment whose ticket is missing is applied again after this time, until it is this old, in milliseconds. */
const [retryDelay, longestWait] = [30_000, 3_600_000];

const nothing: Effects = { writes: [], events: [] };

/** Handles the work queue of the partner’s events. If another write comes first, the event is applied again. */
export const partnerEventHandler: WorkHandler<PartnerEventContent, WorkQueue> = {
  prepare: async (workQueue) => workQueue,
  async attempt(
    { content: { type, data }, createdAt },
    { account },
    run,
  ): Promise<AttemptResult<PartnerEventContent>> {
    if (!isKnownType(type) || !data) return { status: 'delivered' };
    const effects = await effectsOf(type, data, account, run);
    if (!effects && run.now.getTime() < Date.parse(createdAt) + longestWait)
      return { again: new Date(run.now.getTime() + retryDelay), ownFault: true };
    const { writes, events } = effects ?? unknownTicket(account, data.ticketId ?? '');
    return {
      status: 'delivered',
      writes,
      events: events.map((draft) =>
        systemEvent(draft, { account, now: run.now, schedule: 'partner', actor: partnerActor }),
      ),
    };
  },
};

/** Applies an event. Returns undefined if an earlier event is still missing. */
function effectsOf(
  type: PartnerEventType,
  data: PartnerEventData,
  account: AccountId,
  run: AttemptRun,
): Promise<Effects | undefined> {
  switch (type) {
    case 'ticket.created':
      return createPartnerTicket(account, data, run);
    case 'ticket.comment':
      return addPartnerComment(account, data, run);
    default:
      return applyToApplication(type, data, account, run);
  }
}

type ApplicationEventType = Exclude<PartnerEventType, 'ticket.created' | 'ticket.comment'>;

async function applyToApplication(
  type: ApplicationEventType,
  data: PartnerEventData,
  account: AccountId,
  { now }: AttemptRun,
): Promise<Effects> {
  const { applicationId = '' } = data;
  const application = await applications.find(account, applicationId);
  const partner = application?.admin.partner;
  if (!application || !partner) {
    const reason = `The partner sent ${type} for an application that was not submitted to it.`;
    return {
      writes: [],
      events: [integrationErrorDraft(account, { operation: 'application', reason, applicationId })],
    };
  }
  return effectsOnApplication[type](application, partner, data, now);
}

type EffectsOf = (
  application: StoredApplication,
  partner: PartnerState,
  data: PartnerEventData,
  now: Date,
) => Effects | Promise<Effects>;

const effectsOnApplication: Record<ApplicationEventType, EffectsOf> = {
  'application.status': (application, _, data, now) =>
    applyStatus(application, data, 'partner_status_updated', now),

  'application.note'(application, partner, { text = '' }, now) {
    const author = authoredBy(partnerActor.user, now);
    const note = {
      ...newRecord({ ...author, account: application.accountId }),
      applicationId: application.id,
      content: text,
    };
    const { after, writes } = withPartner(application, { ...partner, lastEventAt: now.toISOString() }, now);
    return {
      writes: [...writes, ...applicationNotes.insert(note)],
      events: [
        { kind: 'partner_note_received', subject: subjectOf(applications, after), data: { noteId: note.id } },
      ],
    };
  },

  'documents.received'(application, partner, { documents = [] }, now) {
    if (partner.documents === 'received') return nothing;
    const state = { ...partner, documents: 'received' as const, lastEventAt: now.toISOString() };
    const { after, writes } = withPartner(application, state, now);
    return {
      writes,
      events: [
        {
          kind: 'partner_documents_transferred',
          subject: subjectOf(applications, after),
          data: { documentIds: documents.map(({ id }) => id) },
        },
      ],
    };
  },
};
