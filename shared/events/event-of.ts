import type { AccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import type { Actor, Event, EventDraft, RequestTrace } from './envelope.ts';

/**
 * The values of an event that come from its request. If the draft has an account or an actor, the draft's
 * value is used.
 */
interface EventContext {
  account: AccountId | undefined;
  actor: Actor;
  now: Date;
  /**
   * When the draft was completed; default `now`. The event's id is generated from this time. An id generated from the
   * start time of a long request could sort before events that are already in the log.
   */
  decidedAt?: Date;
  request: RequestTrace;
}

/** Completes a draft. Throws if neither the draft nor the context has an account. */
export function eventOf(
  { account, actor, task: _, ...draft }: EventDraft,
  { now, decidedAt = now, request, ...context }: EventContext,
): Event {
  const accountId = account ?? context.account;
  if (accountId === undefined) throw new Error(`The event ${draft.kind} has no account`);
  return {
    id: mintId(decidedAt),
    version: 1,
    accountId,
    actor: actor ?? context.actor,
    occurredAt: now.toISOString(),
    request,
    ...draft,
  };
}
