import type { HandOver } from '../recipients/fan-out.ts';
import { addToDigest } from './add-to-digest.ts';
import type { Cadence } from './digest-period.ts';
import { readSender } from './read-sender.ts';

/** Puts the notification of an event into the digests of a cadence. The account's zone is read once for all of them. */
export function intoDigest(cadence: Cadence): HandOver {
  let timezone: Promise<string> | undefined;
  return async ({ userId }, { accountId: account, id: eventId }, run) => {
    timezone ??= readSender(account).then((sender) => sender.timezone);
    await addToDigest({ account, cadence, timezone: await timezone, userId, eventIds: [eventId] }, run);
  };
}
