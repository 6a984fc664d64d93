import { type SendOutcome, senderRefused } from '../../channels/send-outcome.ts';
import type { AccountId } from '../../id/account-id.ts';
import { beginSending } from '../../messaging/messages/begin-sending.ts';
import { messageServices, rawTimeout } from '../../messaging/messages/message-services.ts';
import { attemptResult, unknownForGood } from '../../messaging/messages/send-result.ts';
import type { AttemptResult, AttemptRun, WorkHandler } from '../../work-queue/work-handler.ts';
import type { WorkItem } from '../../work-queue/work-item.ts';
import { mailDomains } from '../domains/store.ts';
import type { StoredMail } from '../mails/schema.ts';
import { mails } from '../mails/store.ts';
import { serviceMailDomain } from '../threads/service-mail-domain.ts';
import { newMessageId, replyAddress } from '../threads/thread-token.ts';
import { composeMessage } from './compose-message.ts';
import { deliveryTo } from './deliveries.ts';
import { outgoingQueueOf } from './keys.ts';
import type { MailSending } from './queue-mail.ts';
import { readAttachments } from './read-attachments.ts';
import { isSettled, recordOutcome } from './record-outcome.ts';
import { threadHeaders } from './references.ts';

/** A message is sent once more if the response of SES was lost. The record then says that it may have arrived twice. */
const repeatUnknown = 1;

/**
 * Sends the mails of an account, one message for each recipient. An outcome is recorded on the mail before the work item ends.
 * A repeated attempt finds it and sends nothing. After a lost response, the event of SES about the message may arrive before
 * the next attempt, which then sends nothing either.
 */
export const outgoingMailHandler: WorkHandler<MailSending, AccountId> = {
  // The time for reading the documents and recording the outcome is added.
  longest: rawTimeout + 5_000,

  prepare: async ({ account }) => account,

  async attempt(workItem, account, run) {
    const { mailId, address } = workItem.content;
    const mail = await mails.find(account, mailId);
    const delivery = mail && deliveryTo(mail, address);
    if (!mail || !delivery) return { status: 'cancelled' };
    if (isSettled(delivery)) return { status: 'delivered' };
    const message = await messageTo(address, mail, run);
    if ('outcome' in message) return concluded(workItem, message, { account, unknownBefore: 0 }, run);
    const unknownBefore = await beginSending(outgoingQueueOf(account), workItem);
    if (unknownBefore > repeatUnknown) {
      await recordOutcome({ account, mailId, address }, { state: 'unknown', reason: 'no_response' }, run);
      return unknownForGood('repeated');
    }
    return concluded(workItem, await send(mail, address, message.raw), { account, unknownBefore }, run);
  },
};

/** Composes the message to a recipient. Returns the outcome if it cannot be composed. */
async function messageTo(
  address: string,
  mail: StoredMail,
  { now, deadline }: AttemptRun,
): Promise<{ raw: Buffer } | SendOutcome> {
  const { accountId: account, recordType, recordId, id } = mail;
  if (serviceMailDomain() === undefined) return senderRefused('no_mail_domain');
  if (recordType === undefined || recordId === undefined) return { outcome: 'refused', reason: 'no_thread' };
  // The domain may have been deleted, or be held by another account. It is checked again later, without an alarm.
  if (!(await mailDomains.sendFrom(account, mail.from.address)))
    return { outcome: 'sender_refused', reason: 'domain_not_verified' };
  const attachments = await readAttachments(mail, { now, deadline });
  if (!attachments) return { outcome: 'refused', reason: 'document_deleted' };
  const thread = { recordType, recordId };
  const [root, messageId, replyTo] = await Promise.all([
    newMessageId(account, thread, address, 0),
    newMessageId(account, thread, address, id),
    replyAddress(account, thread, address),
  ]);
  const headers = {
    ...threadHeaders(root, mail.references),
    messageId,
    replyTo,
    date: new Date(mail.createdAt),
  };
  return { raw: await composeMessage({ ...mail, ...headers, attachments }) };
}

/** The tags are in the events of SES about the message, which therefore name its mail even if its response was lost. */
const send = ({ accountId, id, from }: StoredMail, address: string, Data: Buffer): Promise<SendOutcome> =>
  messageServices.ses({
    FromEmailAddress: from.address,
    Destination: { ToAddresses: [address] },
    Content: { Raw: { Data } },
    EmailTags: [
      { Name: 'account', Value: accountId },
      { Name: 'mail', Value: String(id) },
    ],
    ConfigurationSetName: process.env.MAIL_CONFIGURATION_SET || undefined,
  });

async function concluded(
  workItem: WorkItem<MailSending>,
  sent: SendOutcome,
  { account, unknownBefore }: { account: AccountId; unknownBefore: number },
  run: AttemptRun,
): Promise<AttemptResult<never>> {
  const place = { account, ...workItem.content };
  const result = attemptResult(sent, workItem, { now: run.now, unknownBefore, repeatUnknown });
  if (sent.outcome === 'sent')
    await recordOutcome(
      place,
      { state: 'sent', providerId: sent.messageId ?? '', ...(unknownBefore > 0 && { repeated: true }) },
      run,
    );
  else if (sent.outcome === 'unknown' || 'status' in result)
    await recordOutcome(
      place,
      { state: sent.outcome === 'unknown' ? 'unknown' : 'failed', reason: sent.reason },
      run,
    );
  return result;
}
