import { recordOf } from '../../table/item.ts';
import { getItem } from '../../table/read.ts';
import { newRevision, overwrite, putRevised } from '../../table/revised-item.ts';
import { webhookHealthKey } from './keys.ts';
import type { AttemptOutcome } from './retry-schedule.ts';
import type { StoredHealth, StoredWebhook } from './schema.ts';

/** A webhook is disabled after so many attempts that failed, over so many milliseconds, with no success between. */
const [mostFailures, longestFailing] = [10, 120 * 3_600_000];
/** Success after success is written down this often, in milliseconds: a burst costs one write. */
const writtenEvery = 60_000;
/** The last one overwrites what is there: who lost twice met an item that has no revision. */
const mostAttempts = 3;

/** How a webhook fares after another attempt. */
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

/** Whether nothing but failure came of it for so long that the service disables it. Few failures never do. */
export const hasFailedForGood = ({ failingSince, failures = 0 }: StoredHealth, now: Date): boolean =>
  failingSince !== undefined &&
  failures >= mostFailures &&
  now.getTime() - Date.parse(failingSince) >= longestFailing;

/**
 * Writes down what another attempt says of a webhook, in the place of what was known, and returns how it fares then. Success
 * after success within a minute is not written. Where somebody else wrote meanwhile, such as a user who made the webhook
 * active again, what is there now counts.
 */
export async function keepHealth(
  { accountId, id }: Pick<StoredWebhook, 'accountId' | 'id'>,
  known: StoredHealth,
  outcome: AttemptOutcome,
  of: { succeeded: boolean; now: Date },
): Promise<StoredHealth> {
  const key = webhookHealthKey(accountId, id);
  let before = known;
  for (let attempt = 1; ; attempt++) {
    const after = { ...healthAfter(before, outcome, of), revision: newRevision() };
    const item = { ...key, type: 'webhook-health', ...after };
    if (isSaid(after, before)) return before;
    if (attempt < mostAttempts) {
      if (await putRevised(item, before.revision)) return after;
    } else {
      await overwrite(item);
      return after;
    }
    before = recordOf((await getItem(key)) ?? {});
  }
}

/** Whether it says no more than what is on record. */
const isSaid = (health: StoredHealth, written: StoredHealth): boolean =>
  health.failingSince === undefined &&
  written.failingSince === undefined &&
  written.lastSuccessAt !== undefined &&
  Date.parse(health.lastSuccessAt ?? '') - Date.parse(written.lastSuccessAt) < writtenEvery &&
  health.lastStatus === written.lastStatus;
