import type { EventDraft } from '../events/envelope.ts';
import { commit } from '../events/outbox.ts';
import { conditionsOf } from '../table/conditions.ts';
import type { Write } from '../table/operations.ts';
import { transact } from '../table/transact.ts';
import type { CommitsParts } from './endpoint.ts';
import type { HttpEvent, RequestContext } from './request-context.ts';
import { toEvent } from './to-event.ts';

/** What a request commits while it decides, part by part. */
export interface Parts {
  commit: CommitsParts['commit'];
  /** Resolves when every part that began has ended, well or not. */
  ended(): Promise<void>;
  /** What the parts did, or in a dry run would have done, in the order in which they began. */
  done(): { writes: Write[]; events: EventDraft[] };
}

/** The parts of one request; none has begun. */
export function partsOf(event: HttpEvent, requestContext: RequestContext): Parts {
  const done: { writes: readonly Write[]; events: readonly EventDraft[] }[] = [];
  const begun: Promise<void>[] = [];

  const send: CommitsParts['commit'] = (
    writes,
    drafts,
    { deadline = requestContext.deadline, ...options } = {},
  ) =>
    requestContext.dryRun
      ? transact(conditionsOf(writes), deadline, options.attempts)
      : commit({
          ...options,
          writes,
          events: drafts.map((draft) => toEvent(draft, event, requestContext)),
          deadline,
        });

  return {
    async commit(writes, events, options) {
      const place = done.push({ writes: [], events: [] }) - 1;
      const sending = send(writes, events, options);
      begun.push(sending);
      await sending;
      done[place] = { writes, events };
    },
    async ended() {
      await Promise.allSettled(begun);
    },
    done: () => ({
      writes: done.flatMap(({ writes }) => writes),
      events: done.flatMap(({ events }) => events),
    }),
  };
}
