import { sensitiveDataRevealed } from '../events/emit.ts';
import type { Event } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import { applicationUpdated } from '../sales/applications/events.ts';
import type { PartnerState } from '../sales/applications/record/partner-schema.ts';
import { sensitiveApplicationValues } from '../sales/applications/record/sensitive-values.ts';
import type { StoredApplication } from '../sales/applications/record/stored-application.ts';
import { applications } from '../sales/applications/store.ts';
import type { DataKeys } from '../security/data-keys.ts';
import { ticketComments } from '../support/ticket-comments/store.ts';
import { tickets } from '../support/tickets/store.ts';
import type { AttemptRun } from '../work-queue/work-handler.ts';
import { applicationPayload } from './application-payload.ts';
import { changePartnerState, subjectOfApplication } from './change-application.ts';
import { integrationError, integrationErrorDraft } from './integration-error.ts';
import { type PartnerRequestContent, repeatedSyncWrites, silence } from './partner-request.ts';
import type { StoredConnection } from './store.ts';
import { syncStatus } from './sync-status.ts';

/** A request to the partner, and the handling of its outcome. */
export interface PartnerExchange {
  /** Default POST. */
  method?: 'GET';
  /** Nothing is sent before this time. */
  notBefore?: Date;
  /** The path below the partner's URL. */
  path: string;
  body?: unknown;
  /** Commits a 2xx response. Returns the reason if the response violates the contract. */
  accept(response: string, run: AttemptRun): Promise<string | undefined>;
  /** Commits a final failure. Returns the events that are committed with the end of the work item. */
  fail(reason: string): Promise<Event[]>;
  /** When a repeated request is sent again; undefined if this was the last request. */
  repeatAt?(now: Date): Promise<Date | undefined>;
}

interface ExchangeInput {
  account: AccountId;
  /** Undefined if the connection was deleted. */
  connection: StoredConnection | undefined;
  keys: DataKeys;
  run: AttemptRun;
}

/** Returns the exchange of a work item, or undefined if it is no longer needed. */
export function exchangeOf(
  content: PartnerRequestContent,
  input: ExchangeInput,
): Promise<PartnerExchange | undefined> {
  switch (content.request) {
    case 'test':
      return testExchange(input);
    case 'comment':
      return commentExchange(content, input);
    case 'sync':
      return syncExchange(content, input);
    case 'application':
      return applicationExchange(content, input);
  }
}

const testExchange = async ({ account, run }: ExchangeInput): Promise<PartnerExchange> => ({
  path: '/test',
  body: { version: 1, accountId: account },
  accept: async () => undefined,
  fail: async (reason) => [integrationError(account, { operation: 'test', reason }, run.now)],
});

async function commentExchange(
  { ticketId, commentId }: PartnerRequestContent & { request: 'comment' },
  { account, run }: ExchangeInput,
): Promise<PartnerExchange | undefined> {
  const [ticket, comment] = await Promise.all([
    tickets.find(account, ticketId),
    ticketComments.findPublic(account, ticketId, commentId),
  ]);
  if (!ticket?.partnerTicketId || !comment) return undefined;
  const { body, author, createdAt } = comment;
  return {
    path: `/tickets/${encodeURIComponent(ticket.partnerTicketId)}/comments`,
    body: { version: 1, accountId: account, id: String(commentId), body, author, createdAt },
    accept: async () => undefined,
    fail: async (reason) => [integrationError(account, { operation: 'comment', reason }, run.now)],
  };
}

/** The statuses after which the partner changes nothing more. */
const isFinal = ({ status }: PartnerState): boolean => status === 'boarded' || status === 'declined';

async function syncExchange(
  { applicationId, repeats }: PartnerRequestContent & { request: 'sync' },
  { account, connection, run }: ExchangeInput,
): Promise<PartnerExchange | undefined> {
  if (repeats && !connection) return undefined;
  const stateOf = async () => (await applications.find(account, applicationId))?.admin.partner;
  const partner = await stateOf();
  if (partner?.partnerId === undefined || (repeats && isFinal(partner))) return undefined;
  const wakeAt = ({ lastEventAt = '' }: PartnerState) => new Date(Date.parse(lastEventAt) + silence);
  return {
    method: 'GET',
    path: `/applications/${encodeURIComponent(partner.partnerId)}`,
    ...(repeats && wakeAt(partner) > run.now && { notBefore: wakeAt(partner) }),
    accept: (response, current) => syncStatus({ account, applicationId }, response, current),
    fail: async (reason) => [
      integrationError(account, { operation: 'sync', reason, applicationId }, run.now),
    ],
    ...(repeats && {
      async repeatAt(now) {
        const after = await stateOf();
        return after && !isFinal(after) ? new Date(now.getTime() + silence) : undefined;
      },
    }),
  };
}

async function applicationExchange(
  { applicationId, submission }: PartnerRequestContent & { request: 'application' },
  { account, connection, keys, run }: ExchangeInput,
): Promise<PartnerExchange | undefined> {
  const isOpen = (partner: PartnerState | undefined) =>
    partner?.state === 'queued' && partner.submission === submission;
  const application = await applications.find(account, applicationId);
  if (!application || !isOpen(application.admin.partner)) return undefined;
  const body = connection && (await applicationPayload(application, connection, { keys, now: run.now }));
  const of = { account, applicationId };
  // The partner can read these values, whether or not it accepts the application.
  const fields = body?.sensitive === undefined ? [] : sensitiveApplicationValues(application);
  const revealed = (after: StoredApplication) =>
    sensitiveDataRevealed(
      applications,
      after,
      fields.map(({ path }) => path),
    );
  return {
    path: '/applications',
    body,
    async accept(response, { now, deadline }) {
      const partnerId = partnerIdIn(response);
      if (partnerId === undefined) return 'The response of the partner has no valid id.';
      const at = now.toISOString();
      await changePartnerState(of, { now, deadline }, (_, partner) =>
        isOpen(partner)
          ? {
              partner: {
                ...partner,
                state: 'sent',
                partnerId,
                sentAt: at,
                lastEventAt: at,
                ...(body && body.documents.length > 0 && { documents: partner.documents ?? 'sent' }),
              },
              events: (after) => [
                {
                  kind: 'application_sent_to_partner',
                  subject: subjectOfApplication(after),
                  data: { partnerId, submission },
                },
                ...revealed(after),
              ],
              writes: repeatedSyncWrites(account, applicationId, now),
            }
          : undefined,
      );
      return undefined;
    },
    async fail(reason) {
      await changePartnerState(of, run, (before, partner) =>
        isOpen(partner)
          ? {
              partner: { ...partner, state: 'failed', error: reason },
              events: (after) => [
                integrationErrorDraft(account, { operation: 'application', reason, applicationId }),
                ...applicationUpdated(before, after),
                ...revealed(after),
              ],
            }
          : undefined,
      );
      return [];
    },
  };
}

/** Reads the field `id` of a response: 1 to 100 visible ASCII characters. */
function partnerIdIn(response: string): string | undefined {
  try {
    const { id } = (JSON.parse(response) ?? {}) as { id?: unknown };
    return typeof id === 'string' && /^[\x21-\x7e]{1,100}$/.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
