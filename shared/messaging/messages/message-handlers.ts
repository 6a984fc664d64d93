import type { Event } from '../../events/envelope.ts';
import { findEvent } from '../../events/find-event.ts';
import { commit } from '../../events/outbox.ts';
import type { AccountId } from '../../id/account-id.ts';
import { issueInvitationToken, issueResetToken } from '../../people/users/password-tokens.ts';
import { belongsOnlyTo } from '../../people/users/rules.ts';
import { memberships, users } from '../../people/users/store.ts';
import type { AttemptResult, AttemptRun, Run, WorkHandler } from '../../work-queue/work-handler.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import { type Candidate, decideRecipients } from '../recipients/decide-recipients.ts';
import { readCandidates } from '../recipients/find-recipients.ts';
import type { OutgoingMessage } from '../recipients/hand-over.ts';
import { invitationIn } from '../recipients/service-rules.ts';
import { render } from '../recipients/templates.ts';
import { addToDigest, type DigestClosing } from './add-to-digest.ts';
import { beginSending, takeHourlyPlace, takeInvitationPlace } from './begin-sending.ts';
import { closeDigest } from './close-digest.ts';
import { invitationMail, notificationMail, resetMail, withoutLinks } from './compose-mail.ts';
import type { UsersDigest } from './digest-period.ts';
import { prepareSending, readSender, type SendingRun } from './read-sender.ts';
import { sendDigest } from './send-digest.ts';
import { sendMail } from './send-mail.ts';
import type { SendOutcome } from './send-outcome.ts';
import { attemptResult, notSent, type UnsentReason, unknownForGood } from './send-result.ts';
import { sendText } from './send-text.ts';

/** The maximum age of an event when its notification is sent, in milliseconds. */
const maxAge = 24 * 3_600_000;
/** How often a message is sent again after attempts with an unknown outcome. */
const repeatUnknown = 1;

/** Handles an account's work queue of mail: one mail per event and user, and digests. */
export const mailHandler: WorkHandler<OutgoingMessage | DigestClosing | UsersDigest, SendingRun> = {
  prepare: ({ account }) => prepareSending({ account, name: 'MAIL' }),
  attempt(workItem, sending, run) {
    const { content } = workItem;
    if ('closes' in content) return closeDigest(content, sending, run);
    if ('digest' in content) return sendDigest({ ...workItem, content }, sending, run);
    return sendMessage({ ...workItem, content }, sending, run);
  },
};

export const textHandler: WorkHandler<OutgoingMessage, SendingRun> = {
  prepare: ({ account }) => prepareSending({ account, name: 'SMS' }),
  attempt: sendMessage,
};

async function sendMessage(
  workItem: WorkItem<OutgoingMessage>,
  { workQueue, sender: ofQueue }: SendingRun,
  run: AttemptRun,
): Promise<AttemptResult<never>> {
  const { userId, eventId, reason, account = workQueue.account } = workItem.content;
  const { name } = workQueue;
  const event = await findEvent(account, eventId, run.now);
  if (!event) return notSent('no_event');
  if (run.now.getTime() - Date.parse(event.occurredAt) > maxAge) return notSent('too_late');
  const recipient = await stillReceives(workItem.content, event, name === 'MAIL' ? 'email' : 'sms');
  if ('unsent' in recipient) return notSent(recipient.unsent);
  const compose = name === 'MAIL' ? asMail : asText;
  const sender = account === workQueue.account ? ofQueue : await readSender(account);
  const message = { ...workItem.content, ...recipient, account, workItemId: workItem.id };
  const send = await compose(event, message, { workQueue, sender }, run);
  if ('unsent' in send) return notSent(send.unsent);
  // Mail about a user's own password is not limited here, so that an attacker cannot suppress it by causing other mail.
  if (reason !== 'user_concerned' && !(await takeHourlyPlace(workQueue, userId, workItem.id, run.now))) {
    const { timezone } = sender;
    await addToDigest({ account, cadence: 'hourly', timezone, userId, eventIds: [eventId] }, run);
    return notSent('over_limit');
  }
  const unknownBefore = await beginSending(workQueue, workItem);
  if (unknownBefore > repeatUnknown) return unknownForGood('repeated');
  return attemptResult(await send.send(), workItem, { now: run.now, unknownBefore, repeatUnknown });
}

/**
 * Decides again whether the user gets the message, with the user's current membership. If the user's own rule
 * caused the message, the rule is not read again.
 */
async function stillReceives(
  { userId, reason }: OutgoingMessage,
  event: Event,
  channel: 'email' | 'sms',
): Promise<{ member: Candidate } | { unsent: UnsentReason }> {
  const rule = reason === 'own_rule' ? { from: 'account' as const, channels: [channel] } : undefined;
  const members = await readCandidates(event, new Map([[userId, rule]]));
  const [member] = members;
  const outcome = decideRecipients(event, members)[0]?.channels.find((one) => one.channel === channel);
  if (!member || !outcome) return { unsent: 'not_member' };
  return outcome.outcome === 'sent' ? { member } : { unsent: outcome.reason };
}

type ReadyMessage = OutgoingMessage & { member: Candidate; account: AccountId; workItemId: string };
type Ready = { send: () => Promise<SendOutcome> } | { unsent: UnsentReason };

async function asMail(
  event: Event,
  { member, email = member.email, userId, reason, workItemId, account }: ReadyMessage,
  sending: SendingRun,
  run: AttemptRun,
): Promise<Ready> {
  if (!email) return { unsent: 'no_address' };
  if (reason === 'user_concerned') {
    const invitationId = invitationIn(event);
    if (invitationId !== undefined)
      return writeInvitation({ userId, email, invitationId, workItemId }, sending, run);
    if (event.kind === 'user_password_reset_requested')
      return writeReset({ userId, email, account }, sending, run);
  }
  const { sender } = sending;
  const mail = notificationMail(render(event, sender), reason, sender);
  return { send: () => sendMail({ to: email, ...mail }) };
}

async function asText(event: Event, { member }: ReadyMessage, { sender }: SendingRun): Promise<Ready> {
  const to = member.phone;
  if (!to) return { unsent: 'no_phone' };
  const { subject } = render(event, sender);
  return { send: () => sendText(to, withoutLinks(subject)) };
}

/**
 * Composes the mail that resets a password. Creates the token just before sending, so that no work item contains it.
 * The mail links to the account's portal only if the user belongs to no other account.
 */
async function writeReset(
  { userId, email, account }: Pick<ReadyMessage, 'userId' | 'account'> & { email: string },
  { sender }: SendingRun,
  { now, deadline }: Run,
): Promise<Ready> {
  const user = await users.findByEmailAcrossAccounts(email);
  if (user?.id !== userId) return { unsent: 'no_user' };
  const { token, writes } = issueResetToken(user, now);
  await commit({ writes, events: [], deadline });
  const { name } = sender;
  const mail = resetMail(token, belongsOnlyTo(account, user) ? sender : { name });
  return { send: () => sendMail({ to: email, ...mail }) };
}

/**
 * Composes the mail that invites a user. Creates the token just before sending, like `writeReset`. Sends nothing if the
 * user has answered, or if the invitation was withdrawn or renewed. The mail links to the account's portal under the same
 * condition as the reset mail: with the token, a portal could also set the password of a member of other accounts.
 */
async function writeInvitation(
  {
    userId,
    email,
    invitationId,
    workItemId,
  }: Pick<ReadyMessage, 'userId' | 'workItemId'> & {
    email: string;
    invitationId: number;
  },
  { workQueue, sender }: SendingRun,
  { now, deadline }: Run,
): Promise<Ready> {
  const { account } = workQueue;
  const [user, membership] = await Promise.all([
    users.findByEmailAcrossAccounts(email),
    memberships.find(account, userId),
  ]);
  if (user?.id !== userId || membership?.invitationId !== invitationId) return { unsent: 'no_invitation' };
  if (!(await takeInvitationPlace(workQueue, email, workItemId, now))) return { unsent: 'over_limit' };
  const issued = issueInvitationToken({ user, membership }, now);
  if (!issued) return { unsent: 'no_invitation' };
  await commit({ writes: issued.writes, events: [], deadline });
  const linked = belongsOnlyTo(account, user) ? sender : { name: sender.name };
  const mail = invitationMail(issued.token, { account, isNew: !membership.invited }, linked);
  return { send: () => sendMail({ to: email, ...mail }) };
}
