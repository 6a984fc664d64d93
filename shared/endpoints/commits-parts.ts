import type { ErrorCode } from '../errors.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { CommitOptions } from '../events/outbox.ts';
import type { Write } from '../table/operations.ts';
import type { RunOnce } from './run-once.ts';

/** What a request of a contract with `commitsParts` has beside. */
export interface CommitsParts {
  /**
   * Commits one part now, in a transaction of its own with its events; several may run side by side. In a dry run only the
   * conditions are sent, each part's by themselves, and its changes and events are gathered for the response in the order in
   * which the parts began.
   *
   * Throws VersionConflict where another write came first, and the ApiError of a condition: the endpoint reads and decides
   * again for that part, with the `attempts` that the conflict names, or says what became of it. `deadline` is the
   * request's unless it is given. What `decide` returns is committed last, together with the row of the Idempotency-Key,
   * when every part that began has ended.
   *
   * `decide` runs once, since what its parts did stays done. So a conflict that it lets through, or that its last
   * commit meets, is `busy`: the client repeats the request, and an endpoint to which that matters writes with each part
   * what tells it that the part was done before. What may conflict and should be tried again is a part.
   */
  commit(
    writes: readonly Write[],
    events: readonly EventDraft[],
    options?: Partial<CommitOptions>,
  ): Promise<void>;
  /** Begins a part. Its `runOnce` is for that part, whatever other parts take. */
  newPart(): { runOnce: RunOnce };
  /**
   * What the client hears of an error that ended one part and no other: as of a request, a throttle is `busy`, and what is
   * our own fault is `internal_error`, of which the log is told.
   */
  errorOf(error: unknown): ErrorCode;
  /** The Idempotency-Key that was sent, in a dry run too. */
  idempotencyKey: string | undefined;
  /** The body as it was sent, in UTF-8. */
  rawBody: string;
}
