import type { Actor, Event, EventDraft } from '../../shared/events/envelope.ts';
import { eventOf } from '../../shared/events/event-of.ts';
import type { AccountId } from '../../shared/id/account-id.ts';

const operator: Actor = { user: 'operator', apiKey: null };

/** Returns the event of a change that an operator made with a command, such as `users reset`. */
export const byOperator = (draft: EventDraft, account: AccountId, command: string): Event =>
  eventOf(
    { ...draft, actor: operator },
    {
      account,
      actor: operator,
      now: new Date(),
      request: { method: 'RUN', path: command, headers: {}, ipAddress: '' },
    },
  );
