import { setTimeout as sleep } from 'node:timers/promises';
import { happeningOf } from '../../shared/events/kinds.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import type { EventKind, Happening } from '../../shared/resources/registry.ts';
import type { Caller } from '../scenes/caller.ts';
import { actOf, causes } from '../scenes/causes.ts';
import { type Action, CannotCause } from '../scenes/http-caller.ts';

interface Caused {
  event: LoggedEvent;
  /** The paths of the records that the action created, without the records that were deleted afterwards. */
  created: ReadonlySet<string>;
}

/** The longest wait for an event that the service emits after its response, in milliseconds. */
const longestWait = 60_000;

/** Returns the reason why this command cannot cause an event of the kind. Undefined if the command can cause it. */
export function reasonAgainst(kind: EventKind | Happening): string | undefined {
  const cause = causes[kind];
  return typeof cause === 'object' ? cause.because : undefined;
}

/**
 * Performs the action that emits an event of the kind or with the happening, and waits until GET /events contains the
 * event. Then removes the records that must not remain. Throws CannotCause if no action causes the event on this service.
 */
export async function causeEvent(kind: EventKind | Happening, action: Action): Promise<Caused> {
  const cause = causes[kind];
  if (typeof cause === 'object') throw new CannotCause(cause.because);
  const before = await newestOf(action.caller);
  try {
    await actOf(cause)(action.caller);
    return { event: await findEvent(action, kind, before), created: action.records };
  } finally {
    await action.cleanUp();
  }
}

const newestOf = async (caller: Caller): Promise<number> => (await eventsOf(caller, 1, 1))[0]?.id ?? 0;

const eventsOf = async (caller: Caller, page: number, pageSize: number): Promise<LoggedEvent[]> => {
  const { data } = await caller.send<{ data: LoggedEvent[] }>('GET /events', { query: { page, pageSize } });
  return data;
};

/** Waits for an event of this kind about a record of the action. */
async function findEvent(
  { accounts, subjects }: Action,
  kind: EventKind | Happening,
  before: number,
): Promise<LoggedEvent> {
  for (const deadline = Date.now() + longestWait; Date.now() < deadline; await sleep(500))
    for (const caller of accounts) {
      const found = (await eventsAfter(caller, before)).find(
        (event) => [event.kind, happeningOf(event)].includes(kind) && subjects.has(String(event.subject.id)),
      );
      if (found) return found;
    }
  throw new Error(`The action was performed, but GET /events has no new event ${kind} about its records.`);
}

/** Returns the events whose id is above `before`, the newest first. */
async function eventsAfter(caller: Caller, before: number): Promise<LoggedEvent[]> {
  const found: LoggedEvent[] = [];
  for (let page = 1; ; page += 1) {
    const events = await eventsOf(caller, page, 100);
    found.push(...events.filter(({ id }) => id > before));
    if (events.length < 100 || events.some(({ id }) => id <= before)) return found;
  }
}
