import { putAll } from '../table/batch-write.ts';
import { webhookHealthKey } from '../table/keys.ts';
import type { Outcome } from './retry-schedule.ts';
import type { StoredHealth, StoredWebhook } from './schema.ts';

/** A webhook is disabled after so many attempts that failed, over so many milliseconds, with no success between. */
const [mostFailures, longestFailing] = [10, 120 * 3_600_000];
/** Success after success is written down this often, in milliseconds: a burst costs one write. */
const writtenEvery = 60_000;

/** How a webhook fares after another attempt. */
export function healthAfter(
  health: StoredHealth,
  { status }: Outcome,
  { succeeded, now }: { succeeded: boolean; now: Date },
): StoredHealth {
  const at = now.toISOString();
  const { failingSince = at, failures = 0, lastStatus: _, ...rest } = health;
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

/** Writes down how a webhook fares, unless that says no more than what is on record. */
export async function writeHealth(
  { accountId, id }: Pick<StoredWebhook, 'accountId' | 'id'>,
  health: StoredHealth,
  written: StoredHealth,
): Promise<StoredHealth> {
  if (isSaid(health, written)) return written;
  await putAll([{ ...webhookHealthKey(accountId, id), type: 'webhook-health', ...health }]);
  return health;
}

const isSaid = (health: StoredHealth, written: StoredHealth): boolean =>
  health.failingSince === undefined &&
  written.failingSince === undefined &&
  written.lastSuccessAt !== undefined &&
  Date.parse(health.lastSuccessAt ?? '') - Date.parse(written.lastSuccessAt) < writtenEvery &&
  health.lastStatus === written.lastStatus;
