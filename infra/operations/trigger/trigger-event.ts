import { setTimeout as sleep } from 'node:timers/promises';
import { happeningOf } from '../../../shared/events/kinds.ts';
import type { LoggedEvent } from '../../../shared/events/schema.ts';
import type { EventKind, Happening } from '../../../shared/resources/registry.ts';
import type { SendRequest } from '../../administration/send-requests.ts';
import { triggers } from './actions.ts';
import type { Action, Caller } from './caller.ts';
import { CannotTrigger } from './other-account.ts';

interface Triggered {
  event: LoggedEvent;
  /** The paths of the records that the action created, without the records that were deleted afterwards. */
  created: ReadonlySet<string>;
}

/** The longest wait for an event that the service emits after its response, in milliseconds. */
const longestWait = 60_000;

/** Returns the reason why this command cannot cause an event of the kind. Undefined if the command can cause it. */
export function reasonAgainst(kind: EventKind | Happening): string | undefined {
  const trigger = triggers[kind];
  return typeof trigger === 'function' ? undefined : trigger.because;
}

/**
 * Performs the action that emits an event of the kind or with the happening, and waits until GET /events contains the
 * event. Then removes the records that must not remain. Throws CannotTrigger if no action causes the event on this service.
 */
export async function triggerEvent(
  kind: EventKind | Happening,
  { caller, records, cleanUp }: Action,
): Promise<Triggered> {
  const trigger = triggers[kind];
  if (typeof trigger !== 'function') throw new CannotTrigger(reasonAgainst(kind));
  const before = await newestOf(caller);
  try {
    const { id, log = caller.send } = await trigger(caller);
    const event = await findEvent(log, kind, id, before);
    return { event, created: records };
  } finally {
    await cleanUp();
  }
}

const newestOf = async (caller: Caller): Promise<number> => (await eventsOf(caller.send, 1, 1))[0]?.id ?? 0;

const eventsOf = async (log: SendRequest, page: number, pageSize: number): Promise<LoggedEvent[]> => {
  const { data } = await log<{ data: LoggedEvent[] }>('GET', `/events?page=${page}&pageSize=${pageSize}`);
  return data;
};

/** Waits for an event of this kind and subject whose id is above `before`. */
async function findEvent(
  log: SendRequest,
  kind: EventKind | Happening,
  subjectId: string,
  before: number,
): Promise<LoggedEvent> {
  for (const deadline = Date.now() + longestWait; ; await sleep(200)) {
    for (let page = 1; ; page += 1) {
      const events = await eventsOf(log, page, 100);
      const found = events.find(
        (event) =>
          event.id > before &&
          [event.kind, happeningOf(event)].includes(kind) &&
          String(event.subject.id) === subjectId,
      );
      if (found) return found;
      if (events.length < 100 || events.some(({ id }) => id <= before)) break;
    }
    if (Date.now() > deadline)
      throw new Error(
        `The action was performed, but GET /events has no new event ${kind} about ${subjectId}.`,
      );
  }
}
