import type { StoredAccount } from '../../accounts/schema.ts';
import type { Effects } from '../../events/envelope.ts';
import { asEmailAddress, emailAddress } from '../../formats.ts';
import { takePlace } from '../../table/counters.ts';
import { asSeconds, isExpired } from '../../table/item.ts';
import { putIfAbsent, putIfEquals } from '../../table/operations.ts';
import { getItems } from '../../table/read.ts';
import { authoredBy } from '../../table/revise.ts';
import type { StoredMailAddress } from '../addresses/schema.ts';
import type { StoredMail } from '../mails/schema.ts';
import type { StoredThread } from '../threads/schema.ts';
import { serviceMailDomain } from '../threads/service-mail-domain.ts';
import { hashOfAddress } from '../threads/thread-token.ts';
import { automaticInHourKey, automaticInThreadKey, blockedAddressKey } from './keys.ts';
import { queueMail } from './queue-mail.ts';
import { replySubject } from './references.ts';
import { personOf } from './sender-address.ts';

/** The time between two automatic mails to an address in a thread, in milliseconds. */
const betweenReplies = 24 * 3_600_000;
/** The circuit breaker: above this number of automatic mails in an hour, an account sends no further ones. */
const mostInHour = 200;

/** An incoming mail that may get an automatic reply. */
interface Repliable {
  accountRecord: StoredAccount;
  mail: StoredMail;
  /** The thread as it is stored in the transaction of the reply. */
  thread: StoredThread;
  /** The mail address that received the mail. */
  address: StoredMailAddress;
  /** True if the sender's address passed authentication. */
  authenticated: boolean;
}

/** Why an incoming mail gets no automatic reply. */
type NoReplyReason =
  | 'no_text'
  | 'not_authenticated'
  | 'automatic'
  | 'blocked'
  | 'over_limit'
  | 'circuit_breaker'
  | 'mail_unavailable';

/**
 * Returns the writes and events of the automatic reply to an incoming mail, or why there is none. They fail with a conflict if
 * another reply to the address in the thread came first. The place in the limit of the hour is taken once for each mail, so
 * the function may run again after a conflict. The caller stores the thread.
 */
export async function replyAutomatically(
  { accountRecord, mail, thread, address, authenticated }: Repliable,
  { now }: { now: Date },
): Promise<Effects | { unsent: NoReplyReason }> {
  const { accountId: account } = mail;
  const to = asEmailAddress(mail.from.address);
  if (!address.autoReply) return { unsent: 'no_text' };
  if (mail.automatic) return { unsent: 'automatic' };
  if (!authenticated || !emailAddress.test(to)) return { unsent: 'not_authenticated' };
  if (serviceMailDomain() === undefined) return { unsent: 'mail_unavailable' };
  const repliedKey = automaticInThreadKey(account, thread, hashOfAddress(to));
  const [blocked, replied] = await getItems([blockedAddressKey(account, hashOfAddress(to)), repliedKey]);
  if (blocked) return { unsent: 'blocked' };
  if (replied && !isExpired(replied, now)) return { unsent: 'over_limit' };
  if (!(await takeAutomaticPlace(mail, now))) return { unsent: 'circuit_breaker' };
  const at = now.toISOString();
  const expiresAtSeconds = asSeconds(new Date(now.getTime() + betweenReplies));
  const marker = { ...repliedKey, type: 'mail-limit', at, expiresAtSeconds };
  const { writes, events } = await queueMail(
    {
      thread,
      from: personOf(address, accountRecord),
      to: [{ ...mail.from, address: to }],
      subject: address.autoReply.subject ?? replySubject(mail.subject),
      text: address.autoReply.text,
      automatic: true,
    },
    { ...authoredBy('system', now), account },
  );
  return {
    writes: [replied ? putIfEquals(marker, 'at', replied.at) : putIfAbsent(marker), ...writes],
    events,
  };
}

/** Counts an automatic mail in the current hour. Returns false if the circuit breaker of the account is open. */
const takeAutomaticPlace = async ({ accountId, id }: StoredMail, now: Date): Promise<boolean> =>
  (await takePlace(
    automaticInHourKey(accountId, now.toISOString().slice(0, 13)),
    String(id),
    mostInHour,
    new Date(now.getTime() + 2 * 3_600_000),
  )) !== undefined;
