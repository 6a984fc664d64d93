import type { WhyCode } from '../mails/schema.ts';
import type { Verdicts } from './read-notification.ts';

/** A thread that a mail names with a valid MAC, and the sender's part in it. */
interface NamedThread {
  /** `address`: the mail was sent to a reply address of the thread. `reference`: a header names one of our mails. */
  by: 'address' | 'reference';
  /** True if the sender is the requester or contact of the record, or another participant of the thread. */
  senderTakesPart: boolean;
}

/** Whether the counters of the limits allow the mail. */
export interface MailLimitFacts {
  /** False after 20 mails of the sender in an hour. */
  sender: boolean;
  /** False after five new records of an unknown sender in a day. */
  newRecords: boolean;
  /** False while the circuit breaker of the account is open. */
  account: boolean;
}

/** The facts of a received mail. */
export interface MailFacts {
  /** True for delivery reports, receipts, complaints, and mails of a mail system. */
  isReport: boolean;
  /** The threads of the account that the mail names, those of reply addresses first. */
  threads: readonly NamedThread[];
  verdicts: Verdicts;
  /** True if exactly one address is the author of the mail. */
  hasOneSender: boolean;
  /** True if a program sent the mail; see automatic-mail.ts. */
  isAutomatic: boolean;
  isBulk: boolean;
  /** False if the account is closed. */
  isAccountOpen: boolean;
  /** True if the mail was sent to an address of the account that still exists. */
  hasAddress: boolean;
  /** False if the mail is larger than the largest mail that is read. */
  isReadable: boolean;
  /** Undefined if the counters were not read. They are read only if the other facts do not lead to a quarantine. */
  limits?: MailLimitFacts;
}

/**
 * `report`: record the mail at the mail that it reports on. `append`: add it to a thread. `hold`: show it as internal until
 * staff admit the sender. `quarantine`: staff decide. `open`: create a ticket or lead. `thread` is an index of `threads`. A mail
 * that is quarantined with a thread exceeds a limit, and joins the thread when staff release it.
 */
export type MailDecision = { why: { code: WhyCode; detail?: string } } & (
  | { action: 'report' | 'open' }
  | { action: 'quarantine'; thread?: number }
  | { action: 'append' | 'hold'; thread: number }
);

/**
 * Decides what happens with a received mail. The order of the rules is fixed: the first rule that applies decides. A number
 * in the subject is not a fact: only signed addresses and ids name a thread.
 */
export function decideMail(facts: MailFacts): MailDecision {
  if (facts.isReport) return { action: 'report', why: { code: 'delivery_report' } };
  if (!facts.isAccountOpen) return { action: 'quarantine', why: { code: 'account_closed' } };
  const inThread = decideByThread(facts);
  return inThread ? withinLimits(inThread, facts.limits) : decideWithoutThread(facts);
}

type ThreadDecision = MailDecision & { action: 'append' | 'hold' };

/**
 * A thread in which the sender takes part comes first, so that a copy to another thread changes nothing. All recipients of a
 * mail know a reply address of the thread, so a mail that fails authentication may name another one of them as its sender.
 */
function decideByThread({ threads, hasOneSender, verdicts }: MailFacts): ThreadDecision | undefined {
  const isForged = failsAuthentication(verdicts);
  const first = (by: NamedThread['by'], takesPart: boolean) =>
    threads.findIndex(
      (one) => one.by === by && (one.senderTakesPart && hasOneSender && !isForged) === takesPart,
    );
  const why: MailDecision['why'] = isForged ? unauthenticated(verdicts) : { code: 'other_sender' };
  const [own, foreign] = [first('address', true), first('address', false)];
  if (own >= 0) return { action: 'append', thread: own, why: { code: 'reply_address' } };
  if (foreign >= 0) return { action: 'hold', thread: foreign, why };
  const [referenced, other] = [first('reference', true), first('reference', false)];
  if (referenced >= 0) return { action: 'append', thread: referenced, why: { code: 'thread_reference' } };
  if (other >= 0) return { action: 'hold', thread: other, why };
  return undefined;
}

/**
 * Quarantines a mail of a thread that exceeds a limit. Two programs that answer each other know their reply addresses. The
 * circuit breaker of the account stops only mails of other senders.
 */
function withinLimits(decision: ThreadDecision, limits: MailLimitFacts | undefined): MailDecision {
  const { action, thread } = decision;
  if (limits?.sender === false) return { action: 'quarantine', thread, why: { code: 'sender_limit' } };
  if (action === 'hold' && limits?.account === false)
    return { action: 'quarantine', thread, why: { code: 'account_limit' } };
  return decision;
}

function decideWithoutThread(facts: MailFacts): MailDecision {
  const why = reasonToQuarantine(facts);
  return why ? { action: 'quarantine', why } : { action: 'open', why: { code: 'new_record' } };
}

function reasonToQuarantine(facts: MailFacts): MailDecision['why'] | undefined {
  const { verdicts, hasOneSender, isReadable, hasAddress, isAutomatic, isBulk, limits } = facts;
  if (!hasAddress) return { code: 'missing_record' };
  if (!isReadable) return { code: 'unreadable', detail: 'The mail is larger than 30 MB.' };
  if (verdicts.virus === 'FAIL') return { code: 'virus' };
  if (verdicts.spam === 'FAIL') return { code: 'spam' };
  if (!hasOneSender)
    return { code: 'unauthenticated', detail: 'The header From does not contain exactly one address.' };
  if (failsAuthentication(verdicts)) return unauthenticated(verdicts);
  if (isBulk) return { code: 'bulk' };
  if (isAutomatic) return { code: 'automatic' };
  if (limits?.sender === false) return { code: 'sender_limit' };
  if (limits?.newRecords === false) return { code: 'new_record_limit' };
  if (limits?.account === false) return { code: 'account_limit' };
  return undefined;
}

/**
 * Reports whether a mail fails authentication: DMARC failed, and the owner of the domain requests a consequence. With the
 * policy `none`, the owner only observes, and many legitimate mails fail. SES adds no policy if it found none.
 */
export const failsAuthentication = ({
  dmarc,
  dmarcPolicy,
}: Pick<Verdicts, 'dmarc' | 'dmarcPolicy'>): boolean =>
  dmarc === 'FAIL' && (dmarcPolicy === 'quarantine' || dmarcPolicy === 'reject');

const unauthenticated = ({ dmarcPolicy }: Pick<Verdicts, 'dmarcPolicy'>): MailDecision['why'] => ({
  code: 'unauthenticated',
  detail: `DMARC failed, and the policy of the domain is ${dmarcPolicy}.`,
});

/**
 * Reports whether the sender's address is proven. Only then may the sender receive an automatic mail. DMARC proves it. If
 * the domain has no DMARC record (`GRAY`), SPF proves the domain of the envelope sender, which must be the same.
 */
export const isAuthenticated = (
  { dmarc, spf, spam, virus }: Verdicts,
  { sender, envelopeSender }: { sender: string; envelopeSender: string },
): boolean =>
  spam !== 'FAIL' &&
  virus !== 'FAIL' &&
  (dmarc === 'PASS' ||
    (dmarc === 'GRAY' && spf === 'PASS' && sender.split('@')[1] === envelopeSender.split('@')[1]));
