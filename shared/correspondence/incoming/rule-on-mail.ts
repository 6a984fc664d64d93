import type { StoredAccount } from '../../accounts/schema.ts';
import type { RequestInput } from '../../endpoints/endpoint.ts';
import type { RunOnce } from '../../endpoints/run-once.ts';
import { ApiError, invalid, notFound } from '../../errors.ts';
import type { Effects } from '../../events/envelope.ts';
import { object, oneOf, type Static, string } from '../../schema.ts';
import type { Principal } from '../../security/principal.ts';
import { mayReach } from '../../security/reach.ts';
import type { Write } from '../../table/operations.ts';
import { type Authored, type Revision, revise } from '../../table/revise.ts';
import { mailAddresses } from '../addresses/store.ts';
import { mailHappened } from '../mails/events.ts';
import { type StoredMail, threadTypes, type WhyCode } from '../mails/schema.ts';
import { mails } from '../mails/store.ts';
import { isHiddenFromReaders } from '../threads/mail-access.ts';
import { type StoredThread, type ThreadOf, withoutMessage, withParticipant } from '../threads/schema.ts';
import { threads } from '../threads/store.ts';
import {
  findThreadRecord,
  type ThreadRecord,
  takesPart,
  threadOf,
  threadWith,
} from '../threads/thread-record.ts';
import { addToTicket, type RecordEffects, removeFromTicket } from './add-to-ticket.ts';
import { knowSender } from './mail-limits.ts';
import { idOfOpened, openRecord } from './open-record.ts';
import { commentText } from './record-of-mail.ts';

export const MailTarget = object({
  recordType: oneOf(threadTypes, {
    description: 'The type of the record to whose thread the mail is moved.',
  }),
  recordId: string({ minLength: 1, maxLength: 64, examples: ['214563398120449'] }),
});
export type MailTarget = Static<typeof MailTarget>;

/** The request of a person who moves, releases or quarantines a mail. */
interface RulingRequest extends Authored {
  principal: Principal;
  accountRecord: StoredAccount;
  runOnce: RunOnce;
}

/** A mail after the ruling, with all writes and events. */
export interface RuledMail extends Effects {
  after: StoredMail;
}

/** A mail, its record and its thread, if it has them. */
export interface MailToRule {
  mail: StoredMail;
  of: ThreadRecord | undefined;
  thread: StoredThread | undefined;
}

const articled = { ticket: 'a ticket', lead: 'a lead', application: 'an application' } as const;

/** Reads a mail with its record and thread. Throws `not_found`, also if the mail is hidden from the caller with its record. */
export async function readMailToRule(
  { account, requireReach }: Pick<RequestInput, 'account' | 'requireReach'>,
  mailId: number,
): Promise<MailToRule> {
  const mail = await mails.get(account, mailId);
  const { recordType, recordId } = mail;
  if (recordType === undefined || recordId === undefined) return { mail, of: undefined, thread: undefined };
  const name = { recordType, recordId };
  const [of, thread] = await Promise.all([findThreadRecord(account, name), threads.find(account, name)]);
  const missing = notFound('mail', mail.id);
  // A mail of a deleted record is hidden from all callers who reach only some of the records.
  const existing = () => (of ? Promise.resolve(of.record) : Promise.reject(missing));
  await requireReach(recordType, existing, recordId).catch((error: unknown) => {
    throw error instanceof ApiError ? missing : error;
  });
  return { mail, of, thread };
}

/**
 * Throws `not_found` unless the caller may rule on the mail: with `writeMails`, on every mail that `readMailToRule` returns;
 * otherwise on mails of the records that the caller may change, and on held mails only with `readInternalComments`. Throws
 * `mail_not_movable`.
 */
export function requireMayRule(
  principal: Principal,
  { mail, of }: MailToRule,
  states: readonly StoredMail['state'][],
): void {
  const mayRule =
    principal.permissions.has('writeMails') ||
    (!isHiddenFromReaders(mail, principal) && of && mayChange(principal, of));
  if (!mayRule) throw notFound('mail', mail.id);
  if (mail.direction !== 'incoming')
    throw new ApiError('mail_not_movable', { message: 'This request needs a mail from a customer.' });
  if (!states.includes(mail.state))
    throw new ApiError('mail_not_movable', {
      message: `The mail must have the state ${states.join(' or ')}, but it is ${mail.state}.`,
    });
}

const mayChange = (principal: Principal, { recordType, record }: ThreadRecord): boolean =>
  mayReach(principal, recordType, 'write', record);

/** Moves a mail to the thread of another record. The sender does not become a participant of that thread. */
export async function moveMail(
  request: RulingRequest,
  { mail, of, thread }: MailToRule,
  target: MailTarget,
): Promise<RuledMail> {
  const account = mail.accountId;
  const to = await findThreadRecord(account, target);
  if (!to || !mayChange(request.principal, to))
    throw invalid('recordId', `is not the id of ${articled[target.recordType]} of this account`);
  if (of && isSame(threadOf(of), threadOf(to)))
    throw invalid('recordId', 'is the record of the mail already');
  const stored = await threads.find(account, threadOf(to));
  const withdrawn = await withdrawnComment(request, mail, of);
  const added = await addedTo(request, mail, to);
  const after = revised(request, mail, 'moved', {
    ...{ state: 'received', ...threadOf(to), commentId: added.commentId ?? null },
  });
  return {
    after,
    writes: [
      ...mails.replace(mail, after),
      ...withdrawn.writes,
      ...added.writes,
      ...(thread ? threads.put(thread, withoutMessage(thread, mail.messageId)) : []),
      ...threads.put(stored, threadWith(stored, to, mail)),
    ],
    events: [
      ...withdrawn.events,
      ...added.events,
      ...mailHappened('mail_moved', after, {
        ...(mail.recordType !== undefined && { fromType: mail.recordType }),
        ...(mail.recordId !== undefined && { fromId: mail.recordId }),
      }),
    ],
  };
}

/**
 * Releases a held or quarantined mail. A mail in a thread is added to it, and its sender may reply from then on. A mail
 * without a thread opens a ticket or lead, as its address requires.
 */
export async function releaseMail(
  request: RulingRequest,
  { mail, of, thread }: MailToRule,
): Promise<RuledMail> {
  const known = mail.from.address === '' ? [] : [knowSender(mail.accountId, mail.from.address, request.now)];
  if (!of) return openedByRelease(request, mail, known);
  const added = await addedTo(request, mail, of);
  const after = revised(request, mail, 'released', { state: 'received', commentId: added.commentId ?? null });
  const admitted = admittedTo(threadWith(thread, of, mail), of, mail, request);
  return {
    after,
    writes: [...mails.replace(mail, after), ...added.writes, ...threads.put(thread, admitted), ...known],
    events: [
      ...added.events,
      ...mailHappened('mail_released', after, { admitted: takesPart(of, admitted, mail.from.address) }),
    ],
  };
}

/** Returns the thread in which the sender of a mail takes part. A full thread stays the same. */
const admittedTo = (
  thread: StoredThread,
  of: ThreadRecord,
  { from }: StoredMail,
  { now, principal }: RulingRequest,
): StoredThread =>
  from.address === '' || takesPart(of, thread, from.address)
    ? thread
    : withParticipant(thread, { ...from, since: now.toISOString(), by: principal.actor.user });

async function openedByRelease(request: RulingRequest, mail: StoredMail, known: Write[]): Promise<RuledMail> {
  const { accountId, addressId } = mail;
  const address = addressId === undefined ? undefined : await mailAddresses.find(accountId, addressId);
  if (!address || mail.from.address === '')
    throw new ApiError('mail_not_movable', {
      message: 'The mail has no record, and its address was deleted. Move it to a record.',
    });
  const receivedAt = new Date(mail.receivedAt ?? mail.createdAt);
  const { accountRecord, runOnce } = request;
  const id = idOfOpened(mail, receivedAt, 0);
  const { opened, remarks, writes, events } = await openRecord(mail, {
    ...{ accountRecord, address, now: receivedAt, id, runOnce },
  });
  const after = revised(request, mail, 'released', {
    ...{ state: 'received', ...threadOf(opened), leftOut: [...mail.leftOut, ...remarks] },
  });
  return {
    after,
    writes: [
      ...mails.replace(mail, after),
      ...writes,
      ...threads.put(undefined, threadWith(undefined, opened, mail)),
      ...known,
    ],
    events: [...events, ...mailHappened('mail_released', after, {})],
  };
}

/** Quarantines a received or held mail, and removes its comment from its ticket. The sender stays a participant. */
export async function quarantineMail(
  request: RulingRequest,
  { mail, of, thread }: MailToRule,
): Promise<RuledMail> {
  const withdrawn = await withdrawnComment(request, mail, of);
  const after = revised(request, mail, 'quarantined_by_user', { state: 'quarantined', commentId: null });
  return {
    after,
    writes: [
      ...mails.replace(mail, after),
      ...withdrawn.writes,
      ...(thread ? threads.put(thread, withoutMessage(thread, mail.messageId)) : []),
    ],
    events: [...withdrawn.events, ...mailHappened('mail_quarantined', after, { why: 'quarantined_by_user' })],
  };
}

const revised = (
  request: RulingRequest,
  mail: StoredMail,
  code: WhyCode,
  revision: Revision<StoredMail>,
): StoredMail =>
  revise(mail, { ...revision, why: { code, detail: `Before: ${mail.why?.code ?? mail.state}` } }, request);

/** Adds the text of a mail to a ticket. The mails of other records are listed with the record, without a comment. */
async function addedTo(request: RulingRequest, mail: StoredMail, to: ThreadRecord): Promise<RecordEffects> {
  if (to.recordType !== 'ticket') return { writes: [], events: [] };
  const isInTicket = mail.recordType === 'ticket' && mail.recordId === String(to.record.id);
  return addToTicket(
    to.record,
    {
      author: mail.from.address || 'unknown',
      text: commentText(mail),
      visibility: mail.automatic ? 'internal' : 'public',
      ...(isInTicket && mail.commentId !== undefined && { replaces: commentOf(mail, mail.commentId) }),
    },
    atReceipt(request, mail),
  );
}

const commentOf = ({ state, automatic }: StoredMail, id: number) =>
  ({ id, visibility: state === 'held' || automatic ? 'internal' : 'public' }) as const;

async function withdrawnComment(
  request: RulingRequest,
  mail: StoredMail,
  of: ThreadRecord | undefined,
): Promise<RecordEffects> {
  if (of?.recordType !== 'ticket' || mail.commentId === undefined) return { writes: [], events: [] };
  return removeFromTicket(of.record, commentOf(mail, mail.commentId), request);
}

const atReceipt = (request: RulingRequest, { receivedAt }: StoredMail): RulingRequest =>
  receivedAt === undefined ? request : { ...request, now: new Date(receivedAt) };

const isSame = (one: ThreadOf, other: ThreadOf): boolean =>
  one.recordType === other.recordType && one.recordId === other.recordId;
