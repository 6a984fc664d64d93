import type { AccountId } from '../../id/account-id.ts';
import { counterValue, incrementInWindow, takePlace } from '../../table/counters.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { asSeconds } from '../../table/item.ts';
import { putItem, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import type { MailLimitFacts } from './decide-mail.ts';
import { knownSenderKey, limitKey } from './keys.ts';

/** The mails of one sender to one account in an hour. Reports and quarantined mails do not count. */
export const mostMailsOfSender = 20;
/** The records that an unknown sender opens in a day. */
export const mostNewRecords = 5;
/** The mails of an account in an hour that open records or are held, before the circuit breaker opens. */
export const mostMailsOfAccount = 600;

const [hour, day] = [3_600_000, 86_400_000];
/** A sender whose mail staff released stays known for this time. */
const knownFor = 365 * day;

/** A received mail. `name` identifies it, so that a repeated call takes no second place. */
interface CountedMail {
  account: AccountId;
  sender: string;
  name: string;
}

/**
 * Counts a mail to which `action` happens, unless a limit is exceeded. Reports which limits allow it.
 *
 * - Only mails that open records count for the limit of new records.
 * - A mail that is added to a thread does not count for the account: its sender takes part, and customers must be able to
 *   reply while the circuit breaker is open.
 * - A mail above a limit of its sender does not count for the account. Otherwise, one sender would open the circuit breaker
 *   for all others.
 */
export async function countMail(
  { account, sender, name }: CountedMail,
  action: 'open' | 'append' | 'hold',
  now: Date,
): Promise<MailLimitFacts> {
  const place = (length: number, period: string, most: number) => {
    const start = Math.floor(now.getTime() / length) * length;
    const key = limitKey(account, sender, period, new Date(start));
    return takePlace(key, name, most, new Date(start + length));
  };
  const [inHour, isWithinDay] = await inParallel([
    place(hour, 'HOUR', mostMailsOfSender),
    action === 'open' ? place(day, 'DAY', mostNewRecords) : true,
  ]);
  const limits = {
    sender: inHour !== undefined,
    newRecords: isWithinDay !== undefined || (await getItem(knownSenderKey(account, sender))) !== undefined,
  };
  if (action === 'append' || !limits.sender || !limits.newRecords) return { ...limits, account: true };
  const key = limitKey(account, 'account', 'COUNTED');
  const counted =
    inHour === 'new'
      ? await incrementInWindow(key, 1, hour / 1000, now)
      : counterValue(await getItem(key), now);
  return { ...limits, account: counted <= mostMailsOfAccount };
}

/** Returns the write that makes a sender known, so that only the limit of an hour applies. */
export const knowSender = (account: AccountId, sender: string, now: Date): Write =>
  putItem({
    ...knownSenderKey(account, sender),
    type: 'mail-limit',
    expiresAtSeconds: asSeconds(new Date(now.getTime() + knownFor)),
  });
