import type { AccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import type { Actor, Event, EventDraft, RequestTrace } from './envelope.ts';

/** What an event has of how it came about. A draft that names its own account or actor goes before. */
export interface EventContext {
  account: AccountId | undefined;
  actor: Actor;
  now: Date;
  /** When it was decided: ids grow with it, so that none comes into the log far behind the newest. Left out: `now`. */
  decidedAt?: Date;
  request: RequestTrace;
}

/** The whole event: what happened, with who did it, when, and through what. Throws where it names no account. */
export function eventOf(
  { account, actor, ...draft }: EventDraft,
  { now, decidedAt = now, request, ...context }: EventContext,
): Event {
  const accountId = account ?? context.account;
  if (accountId === undefined) throw new Error(`${draft.kind} names no account`);
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
