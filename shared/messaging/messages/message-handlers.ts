import type { MessageChannel } from '../../channels/channel.ts';
import { type ChannelName, type MessageQueueName, messageChannels } from '../../channels/channels.ts';
import { invitationMail, resetMail } from '../../channels/compose-mail.ts';
import { mail } from '../../channels/mail.ts';
import type { SendOutcome } from '../../channels/send-outcome.ts';
import type { Event } from '../../events/envelope.ts';
import { findEvent } from '../../events/find-event.ts';
import { commit } from '../../events/outbox.ts';
import type { AccountId } from '../../id/account-id.ts';
import { issueInvitationToken, issueResetToken } from '../../people/users/password-tokens.ts';
import { belongsOnlyTo } from '../../people/users/rules.ts';
import { memberships, users } from '../../people/users/store.ts';
import type { WorkQueueName } from '../../work-queue/keys.ts';
import type { AttemptResult, AttemptRun, Run, WorkHandler } from '../../work-queue/work-handler.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import { type Candidate, decideRecipients } from '../recipients/decide-recipients.ts';
import { readCandidates } from '../recipients/find-recipients.ts';
import { invitationIn } from '../recipients/service-rules.ts';
import { render } from '../recipients/templates.ts';
import { readSubjectRecords } from '../subjects/read-subject-records.ts';
import { addToDigest, type DigestClosing } from './add-to-digest.ts';
import { beginSending, takeHourlyPlace, takeInvitationPlace } from './begin-sending.ts';
import { closeDigest } from './close-digest.ts';
import type { UsersDigest } from './digest-period.ts';
import type { OutgoingMessage } from './hand-over.ts';
import { messageServices } from './message-services.ts';
import { readSender, type SendingRun } from './read-sender.ts';
import { sendDigest } from './send-digest.ts';
import { attemptResult, notSent, type UnsentReason, unknownForGood } from './send-result.ts';

/** The maximum age of an event when its notification is sent, in milliseconds. */
const maxAge = 24 * 3_600_000;
/** How often a message is sent again after attempts with an unknown outcome. */
const repeatUnknown = 1;

/** A work item in a work queue of messages: one message per event and user. That of mail also contains digests. */
type Content = OutgoingMessage | DigestClosing | UsersDigest;

type Handler = WorkHandler<Content, SendingRun>;

/** The handlers of the work queues of messages. */
export const messageHandlers = Object.fromEntries(
  messageChannels.map((channel) => [channel.queue, handlerOf(channel)]),
) as Record<MessageQueueName, Handler> & Partial<Record<WorkQueueName, Handler>>;

/** A channel whose content of messages is not known. */
type AnyMessageChannel = MessageChannel<unknown> & { name: ChannelName; queue: MessageQueueName };

function handlerOf(channel: AnyMessageChannel): Handler {
  return {
    prepare: async ({ account }) => ({
      workQueue: { account, name: channel.queue },
      sender: await readSender(account),
    }),
    attempt(workItem, sending, run) {
      const { content } = workItem;
      if ('closes' in content) return closeDigest(content, sending, run);
      if ('digest' in content) return sendDigest({ ...workItem, content }, sending, run);
      return sendMessage(channel, { ...workItem, content }, sending, run);
    },
  };
}

async function sendMessage(
  channel: AnyMessageChannel,
  workItem: WorkItem<OutgoingMessage>,
  { workQueue, sender: ofQueue }: SendingRun,
  run: AttemptRun,
): Promise<AttemptResult<never>> {
  const { now } = run;
  const { userId, eventId, reason, account = workQueue.account } = workItem.content;
  const event = await findEvent(account, eventId, now);
  if (!event) return notSent('no_event');
  if (now.getTime() - Date.parse(event.occurredAt) > maxAge) return notSent('too_late');
  const recipient = await stillReceives(workItem.content, event, channel.name);
  if ('unsent' in recipient) return notSent(recipient.unsent);
  const sender = account === workQueue.account ? ofQueue : await readSender(account);
  const message = { ...workItem.content, ...recipient, account, workItemId: workItem.id };
  const send = await compose(channel, event, message, { workQueue, sender }, run);
  if ('unsent' in send) return notSent(send.unsent);
  // Mail about a user's own password is not limited here, so that an attacker cannot suppress it by causing other mail.
  const counted = { workQueue, workItemId: workItem.id, now };
  if (reason !== 'user_concerned' && !(await takeHourlyPlace(userId, channel.perHour, counted))) {
    const { timezone } = sender;
    await addToDigest({ account, cadence: 'hourly', timezone, userId, eventIds: [eventId] }, run);
    return notSent('over_limit');
  }
  const unknownBefore = await beginSending(workQueue, workItem);
  if (unknownBefore > repeatUnknown) return unknownForGood('repeated');
  return attemptResult(await send.send(), workItem, { now, unknownBefore, repeatUnknown });
}

/**
 * Decides again whether the user gets the message, with the user's current membership. If the user's own rule
 * caused the message, the rule is not read again.
 */
async function stillReceives(
  { userId, reason }: OutgoingMessage,
  event: Event,
  channel: ChannelName,
): Promise<{ member: Candidate } | { unsent: UnsentReason }> {
  const rule = reason === 'own_rule' ? { from: 'account' as const, channels: [channel] } : undefined;
  const members = await readCandidates(event, new Map([[userId, rule]]));
  const [member] = members;
  const records = await readSubjectRecords(event.accountId, [event], members);
  const outcome = decideRecipients(event, members, records)[0]?.channels.find(
    (one) => one.channel === channel,
  );
  if (!member || !outcome) return { unsent: 'not_member' };
  return outcome.outcome === 'sent' ? { member } : { unsent: outcome.reason };
}

type ReadyMessage = OutgoingMessage & { member: Candidate; account: AccountId; workItemId: string };
type Ready = { send: () => Promise<SendOutcome> } | { unsent: UnsentReason };

async function compose(
  channel: AnyMessageChannel,
  event: Event,
  { member, email = member.email, userId, reason, workItemId, account }: ReadyMessage,
  sending: SendingRun,
  run: AttemptRun,
): Promise<Ready> {
  const { field, missing } = channel.address;
  const to = { ...member, email }[field];
  if (!to) return { unsent: missing };
  if (reason === 'user_concerned') {
    const invitationId = invitationIn(event);
    if (invitationId !== undefined)
      return writeInvitation({ userId, email: to, invitationId, workItemId }, sending, run);
    if (event.kind === 'user_password_reset_requested')
      return writeReset({ userId, email: to, account }, sending, run);
  }
  const { sender } = sending;
  const message = channel.render(render(event, sender), reason, sender);
  return { send: () => channel.send(message, to, messageServices) };
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
  const message = resetMail(token, belongsOnlyTo(account, user) ? sender : { name });
  return { send: () => mail.send(message, email, messageServices) };
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
  if (!(await takeInvitationPlace(email, { workQueue, workItemId, now }))) return { unsent: 'over_limit' };
  const issued = issueInvitationToken({ user, membership }, now);
  if (!issued) return { unsent: 'no_invitation' };
  await commit({ writes: issued.writes, events: [], deadline });
  const linked = belongsOnlyTo(account, user) ? sender : { name: sender.name };
  const message = invitationMail(issued.token, { account, isNew: !membership.invited }, linked);
  return { send: () => mail.send(message, email, messageServices) };
}
