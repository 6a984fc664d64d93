import type { AccountId } from '../../id/account-id.ts';
import { incrementInWindow, takePlace } from '../../table/counters.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { asSeconds } from '../../table/item.ts';
import { putItem, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import type { MailLimitFacts } from './decide-mail.ts';
import { knownSenderKey, limitKey } from './keys.ts';

/** The mails of one sender to one account in an hour that can open records. */
export const mostMailsOfSender = 20;
/** The records that an unknown sender opens in a day. */
export const mostNewRecords = 5;
/** The records that all senders together open in an account in an hour, before the circuit breaker opens. */
export const mostNewRecordsOfAccount = 600;

const [hour, day] = [3_600_000, 86_400_000];
/** A sender whose mail staff released stays known for this time. */
const knownFor = 365 * day;

/** A received mail that may open a record. `name` identifies the mail, so that a repeated call takes no second place. */
interface CountedMail {
  account: AccountId;
  sender: string;
  name: string;
}

/**
 * Counts a mail, and reports which limits allow one more mail. A mail above a limit of its sender is not counted for the
 * account. Otherwise, one sender would open the circuit breaker for all others.
 */
export async function countMail({ account, sender, name }: CountedMail, now: Date): Promise<MailLimitFacts> {
  const place = (length: number, period: string, most: number) => {
    const start = Math.floor(now.getTime() / length) * length;
    const key = limitKey(account, sender, period, new Date(start));
    return takePlace(key, name, most, new Date(start + length));
  };
  const [isWithinHour, isWithinDay] = await inParallel([
    place(hour, 'HOUR', mostMailsOfSender),
    place(day, 'DAY', mostNewRecords),
  ]);
  const limits = {
    sender: isWithinHour,
    newRecords: isWithinDay || (await getItem(knownSenderKey(account, sender))) !== undefined,
  };
  if (!limits.sender || !limits.newRecords) return { ...limits, account: true };
  const opened = await incrementInWindow(limitKey(account, 'account', 'OPENED'), 1, hour / 1000, now);
  return { ...limits, account: opened <= mostNewRecordsOfAccount };
}

/** Returns the write that makes a sender known, so that only the limit of an hour applies. */
export const knowSender = (account: AccountId, sender: string, now: Date): Write =>
  putItem({
    ...knownSenderKey(account, sender),
    type: 'mail-limit',
    expiresAtSeconds: asSeconds(new Date(now.getTime() + knownFor)),
  });
