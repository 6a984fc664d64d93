import type { ErrorCode } from '../errors.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { CommitOptions } from '../events/outbox.ts';
import type { Write } from '../table/operations.ts';
import type { RunOnce } from './run-once.ts';

/** The additional functions of a request whose contract has `commitsParts`. */
export interface CommitsParts {
  /**
   * Commits one part of the request, with its events, in a separate transaction. The endpoint can commit
   * several parts in parallel. A dry run checks only the conditions of each part. Its response lists the
   * changes in the order in which the parts started.
   *
   * Throws VersionConflict, or the ApiError of a failed condition. After a VersionConflict, the endpoint can
   * read the data of this part again and commit the part again, with the conflict's `attempts` in the options.
   * `deadline` defaults to the request's deadline. The result of `decide` is committed after all parts,
   * together with the idempotency row.
   *
   * `decide` is not repeated after a conflict, because committed parts cannot be undone. If the endpoint does
   * not handle a conflict, the response is `busy`, and the client can repeat the request. If a part must not
   * be committed twice, its writes must record that the part is done.
   */
  commit(
    writes: readonly Write[],
    events: readonly EventDraft[],
    options?: Partial<CommitOptions>,
  ): Promise<void>;
  /**
   * Starts a part of the request. Each part has its own `runOnce`, so a side effect can run once for each
   * part.
   */
  newPart(): { runOnce: RunOnce };
  /** Returns the error code of a failed part: `busy` after throttling, `internal_error` (also logged) for a defect. */
  errorOf(error: unknown): ErrorCode;
  /** The value of the Idempotency-Key header, also in a dry run. */
  idempotencyKey: string | undefined;
  /** The body as sent, in UTF-8. */
  rawBody: string;
}
