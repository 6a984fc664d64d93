import { type Item, recordOf } from '../../table/item.ts';
import { getItem } from '../../table/read.ts';
import { newRevision, overwrite, putRevised } from '../../table/revised-item.ts';
import type { AttemptOutcome } from './retry-schedule.ts';
import type { StoredHealth } from './schema.ts';

/** A webhook is disabled after this many consecutive failures, if they span at least this many milliseconds. */
const [mostFailures, longestFailing] = [10, 120 * 3_600_000];
/** Repeated successes are stored at most once in this time, in milliseconds, so that a burst causes only one write. */
const successInterval = 60_000;
/**
 * The maximum number of attempts to write the health. The last attempt writes without a condition, so it also replaces
 * an item without a revision.
 */
const mostAttempts = 3;

function healthAfter(
  health: StoredHealth,
  { status }: AttemptOutcome,
  { succeeded, now }: { succeeded: boolean; now: Date },
): StoredHealth {
  const at = now.toISOString();
  const { failingSince = at, failures = 0, lastStatus: _, revision: __, ...rest } = health;
  const last = status === undefined ? {} : { lastStatus: status };
  return succeeded
    ? { ...rest, ...last, lastSuccessAt: at }
    : { ...rest, ...last, lastFailureAt: at, failingSince, failures: failures + 1 };
}

/** Reports whether so many attempts failed, over so long a time, that the service disables the webhook. */
export const hasFailedTooLong = ({ failingSince, failures = 0 }: StoredHealth, now: Date): boolean =>
  failingSince !== undefined &&
  failures >= mostFailures &&
  now.getTime() - Date.parse(failingSince) >= longestFailing;

/**
 * Updates and returns the health of a webhook, or of the connection to the partner, after an attempt. `place` contains
 * the key and the type of the item. Does not write a repeated success within a minute. If
 * the stored health differs from `known`, for example because a user activated the webhook again, applies the attempt
 * to the stored health.
 */
export async function storeHealth(
  place: Pick<Item, 'pk' | 'sk' | 'type'>,
  known: StoredHealth,
  outcome: AttemptOutcome,
  of: { succeeded: boolean; now: Date },
): Promise<StoredHealth> {
  let before = known;
  for (let attempt = 1; ; attempt++) {
    const after = { ...healthAfter(before, outcome, of), revision: newRevision() };
    const item = { ...place, ...after };
    if (isRepeated(after, before)) return before;
    if (attempt < mostAttempts) {
      if (await putRevised(item, before.revision)) return after;
    } else {
      await overwrite(item);
      return after;
    }
    before = recordOf((await getItem({ pk: place.pk, sk: place.sk })) ?? {});
  }
}

const isRepeated = (health: StoredHealth, written: StoredHealth): boolean =>
  health.failingSince === undefined &&
  written.failingSince === undefined &&
  written.lastSuccessAt !== undefined &&
  Date.parse(health.lastSuccessAt ?? '') - Date.parse(written.lastSuccessAt) < successInterval &&
  health.lastStatus === written.lastStatus;
