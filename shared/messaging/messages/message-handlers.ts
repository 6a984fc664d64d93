import type { Event } from '../../events/envelope.ts';
import { findEvent } from '../../events/find-event.ts';
import { commit } from '../../events/outbox.ts';
import { issuePasswordToken } from '../../people/users/password-tokens.ts';
import { belongsOnlyTo, phoneNumberOf } from '../../people/users/rules.ts';
import { users } from '../../people/users/store.ts';
import type { AttemptResult, AttemptRun, Run, WorkHandler } from '../../work-queue/work-handler.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import { type Candidate, decideRecipients } from '../recipients/decide-recipients.ts';
import { readCandidates } from '../recipients/find-recipients.ts';
import type { Message } from '../recipients/hand-over.ts';
import { render } from '../recipients/templates.ts';
import { addToDigest, type DigestClosing } from './add-to-digest.ts';
import { beginSending, takeHourlyPlace } from './begin-sending.ts';
import { closeDigest } from './close-digest.ts';
import { notificationMail, resetMail, type Sender, withoutLinks } from './compose-mail.ts';
import type { UsersDigest } from './digest-period.ts';
import { prepareSending, type SendingRun } from './read-sender.ts';
import { sendDigest } from './send-digest.ts';
import { sendMail } from './send-mail.ts';
import type { SendOutcome } from './send-outcome.ts';
import { attemptResult, notSent, type UnsentReason, unknownForGood } from './send-result.ts';
import { sendText } from './send-text.ts';

/** The maximum age of an event when its notification is sent, in milliseconds. */
const maxAge = 24 * 3_600_000;
/** How often a message is sent again after attempts with an unknown outcome. */
const repeatUnknown = 1;

/** Handles an account's mail queue: one mail per event and user, and digests. */
export const mailHandler: WorkHandler<Message | DigestClosing | UsersDigest, SendingRun> = {
  prepare: ({ account }) => prepareSending({ account, name: 'MAIL' }),
  attempt(workItem, sending, run) {
    const { content } = workItem;
    if ('closes' in content) return closeDigest(content, sending, run);
    if ('digest' in content) return sendDigest({ ...workItem, content }, sending, run);
    return sendMessage({ ...workItem, content }, sending, run);
  },
};

export const textHandler: WorkHandler<Message, SendingRun> = {
  prepare: ({ account }) => prepareSending({ account, name: 'SMS' }),
  attempt: sendMessage,
};

async function sendMessage(
  workItem: WorkItem<Message>,
  { workQueue, sender }: SendingRun,
  run: AttemptRun,
): Promise<AttemptResult<never>> {
  const { userId, eventId, reason } = workItem.content;
  const { account, name } = workQueue;
  const event = await findEvent(account, eventId, run.now);
  if (!event) return notSent('no_event');
  if (run.now.getTime() - Date.parse(event.occurredAt) > maxAge) return notSent('too_late');
  const recipient = await stillReceives(workItem.content, event, name === 'MAIL' ? 'email' : 'sms');
  if ('unsent' in recipient) return notSent(recipient.unsent);
  const compose = name === 'MAIL' ? asMail : asText;
  const send = await compose(event, { ...workItem.content, ...recipient }, sender, run);
  if ('unsent' in send) return notSent(send.unsent);
  // Mail about a user's own password has no limit, so that an attacker cannot suppress it by causing other mail.
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
  { userId, reason }: Message,
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

type ReadyMessage = Message & { member: Candidate };
type Ready = { send: () => Promise<SendOutcome> } | { unsent: UnsentReason };

async function asMail(
  event: Event,
  { member, email = member.email, userId, reason }: ReadyMessage,
  sender: SendingRun['sender'],
  run: AttemptRun,
): Promise<Ready> {
  if (!email) return { unsent: 'no_address' };
  if (event.kind === 'user_password_reset_requested')
    return writeReset({ userId, email }, sender, event, run);
  const mail = notificationMail(render(event, sender), reason, sender);
  return { send: () => sendMail({ to: email, ...mail }) };
}

async function asText(event: Event, { member }: ReadyMessage, sender: SendingRun['sender']): Promise<Ready> {
  const to = phoneNumberOf(member.phone);
  if (!to) return { unsent: 'no_phone' };
  const { subject } = render(event, sender);
  return { send: () => sendText(to, withoutLinks(subject, ' ')) };
}

/**
 * Composes the mail that resets a password. Creates the token just before sending, so that no work item contains it.
 * The mail links to the account's portal only if the user belongs to no other account.
 */
async function writeReset(
  { userId, email }: { userId: number; email: string },
  sender: Sender,
  { accountId }: Pick<Event, 'accountId'>,
  { now, deadline }: Run,
): Promise<{ send: () => Promise<SendOutcome> } | { unsent: 'no_user' }> {
  const user = await users.findByEmailAcrossAccounts(email);
  if (user?.id !== userId) return { unsent: 'no_user' };
  const { token, writes } = issuePasswordToken('reset', user, now);
  await commit({ writes, events: [], deadline });
  const { name } = sender;
  const mail = resetMail(token, belongsOnlyTo(accountId, user) ? sender : { name });
  return { send: () => sendMail({ to: email, ...mail }) };
}
