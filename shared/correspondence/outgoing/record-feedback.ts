import type { EventDraft } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { firstCharacters } from '../../table/cut-text.ts';
import { putItem, type Write } from '../../table/operations.ts';
import { revise } from '../../table/revise.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { mailHappened } from '../mails/events.ts';
import { type MailBounce, type MailDelivery, mailLimits, type StoredMail } from '../mails/schema.ts';
import { mails } from '../mails/store.ts';
import { hashOfAddress, type MailToken, readToken } from '../threads/thread-token.ts';
import { changeMail, type MailChange } from './change-mail.ts';
import { mailDeliveries, stateOfDeliveries } from './deliveries.ts';
import { blockedAddressKey } from './keys.ts';
import { recordOutcome } from './record-outcome.ts';
import { providerIdIn } from './references.ts';

/** A report of SES or of a mail server about an outgoing mail. */
export interface MailFeedback {
  account: AccountId;
  /**
   * From SES: the id of the mail and that of SES. From a mail server: the Message-ID in the header that its report returns, and
   * the further texts in this header that can be tokens of a recipient, as proofs.
   */
  mail: { id: number; providerId: string } | { messageId: string; proofs: readonly string[] };
  /** `rejected`: SES accepted the message, but did not send it, for example because of a virus or of its suppression list. */
  outcome: 'delivered' | 'bounced' | 'complained' | 'rejected';
  /** True for a bounce after which the address is not used for automatic mails any more. */
  permanent?: boolean;
  /** The recipients in the report. If none of them received the mail, the report is about the SES message. */
  recipients: readonly { address: string; diagnostic?: string }[];
  at: Date;
}

/**
 * Records a report on its mail. A rejection is a failure. A permanent bounce and a complaint end the automatic mails to the
 * address. Idempotent. Sends nothing and creates no other record. Returns the id of the mail; undefined if the account has no
 * such outgoing mail.
 */
export async function recordFeedback(feedback: MailFeedback, run: Run): Promise<number | undefined> {
  const { account, outcome } = feedback;
  const found = await findMail(feedback);
  if (found?.mail.direction !== 'outgoing') return undefined;
  const { mail, providerId } = found;
  if (outcome === 'delivered') {
    for (const { address } of concerned(mail, feedback, found))
      if (providerId !== undefined)
        await recordOutcome({ account, mailId: mail.id, address }, { state: 'sent', providerId }, run);
  } else
    await changeMail({ account, mailId: mail.id }, run, async (before) =>
      outcome === 'rejected'
        ? withRejection(before, feedback, found, run.now)
        : withBounce(before, feedback, found, run.now),
    );
  return mail.id;
}

/** The message that a report names. */
interface NamedMessage {
  /** The id of SES; undefined if the report names our Message-ID. */
  providerId?: string | undefined;
  /** The hashes of the recipients whose tokens the report contains. Undefined for SES, whose events need no proof. */
  proven?: ReadonlySet<string>;
}

interface FoundMail extends NamedMessage {
  mail: StoredMail;
}

/** Finds the mail of a report by its id, by our signed Message-ID, or by the Message-ID of SES. */
async function findMail({ account, mail: named }: MailFeedback): Promise<FoundMail | undefined> {
  if ('id' in named) {
    const mail = await mails.find(account, named.id);
    return mail && { mail, providerId: named.providerId };
  }
  const { messageId, proofs } = named;
  const providerId = providerIdIn(messageId);
  const [signed, ...others] = await Promise.all([messageId, ...proofs].map(readToken));
  const mail =
    providerId === undefined
      ? await findSigned(account, signed)
      : await mails.findByProviderId(account, providerId);
  if (!mail) return undefined;
  const proven = [signed, ...others].flatMap((token) =>
    isOfThread(token, mail) ? [token.recipientHash] : [],
  );
  return { mail, providerId, proven: new Set(proven) };
}

type ThreadToken = MailToken & { kind: 'thread' };

const findSigned = async (
  account: AccountId,
  token: MailToken | undefined,
): Promise<StoredMail | undefined> =>
  token?.kind === 'thread' && token.account === account && token.mailId
    ? mails.find(account, token.mailId)
    : undefined;

const isOfThread = (
  token: MailToken | undefined,
  { accountId, recordType, recordId }: StoredMail,
): token is ThreadToken =>
  token?.kind === 'thread' &&
  token.account === accountId &&
  token.thread.recordType === recordType &&
  token.thread.recordId === recordId;

/**
 * Returns the deliveries that a report is about. Each recipient has an own message. The `References` of a message contain
 * ids of SES of messages to other recipients. So a report of a mail server needs a token of the recipient, which only this
 * recipient received. Otherwise, recipients could forge reports about each other.
 */
function concerned(
  mail: StoredMail,
  { recipients }: MailFeedback,
  { providerId, proven }: NamedMessage,
): MailDelivery[] {
  const possible = mailDeliveries(mail).filter(
    ({ address }) => proven === undefined || proven.has(hashOfAddress(address)),
  );
  const ofMessage = possible.filter((one) => providerId !== undefined && one.providerId === providerId);
  if (ofMessage.length > 0 || (proven && providerId !== undefined)) return ofMessage;
  const named = new Set(recipients.map(({ address }) => address.toLowerCase()));
  const byAddress = possible.filter(({ address }) => named.has(address.toLowerCase()));
  return byAddress.length > 0 || possible.length !== 1 ? byAddress : possible;
}

/** Records that SES did not deliver an accepted message. Like every failure, it is final. */
function withRejection(
  mail: StoredMail,
  feedback: MailFeedback,
  message: NamedMessage,
  now: Date,
): MailChange | undefined {
  const rejected = concerned(mail, feedback, message).filter(({ state }) => state !== 'failed');
  if (rejected.length === 0) return undefined;
  const reason = reasonIn(feedback) ?? 'Reject';
  const deliveries = mailDeliveries(mail).map((one) =>
    rejected.includes(one)
      ? { ...one, state: 'failed' as const, reason, at: feedback.at.toISOString() }
      : one,
  );
  const after = revise(mail, { deliveries, state: stateOfDeliveries(deliveries) }, { now });
  return { after, events: mailHappened('mail_failed', after, { reason }) };
}

/** Returns the first diagnosis of a report; undefined if it has none. */
function reasonIn({ recipients }: MailFeedback): string | undefined {
  const diagnostic = recipients.find((one) => one.diagnostic !== undefined)?.diagnostic;
  return diagnostic && firstCharacters(diagnostic, mailLimits.diagnostic);
}

function withBounce(
  mail: StoredMail,
  feedback: MailFeedback,
  message: NamedMessage,
  now: Date,
): MailChange | undefined {
  const { outcome, permanent = false, at } = feedback;
  const kind = outcome === 'complained' ? 'complaint' : permanent ? 'permanent' : 'transient';
  const isKnown = ({ address }: MailDelivery) =>
    mail.bounces.some((one) => one.kind === kind && one.address === address);
  const deliveries = concerned(mail, feedback, message).filter((one) => !isKnown(one));
  const [first] = deliveries;
  if (!first) return undefined;
  const reason = reasonIn(feedback);
  const bounces = deliveries.map(
    ({ address }): MailBounce => ({
      ...{ address, kind, at: at.toISOString() },
      ...(reason && { diagnostic: reason }),
    }),
  );
  const state = outcome === 'complained' ? ('complained' as const) : ('bounced' as const);
  const after = mailDeliveries(mail).map((one) =>
    deliveries.includes(one) ? { ...one, state, at: at.toISOString() } : one,
  );
  const revision = {
    deliveries: after,
    state: stateOfDeliveries(after),
    bounces: [...mail.bounces, ...bounces].slice(0, mailLimits.bounces),
  };
  const changed = revise(mail, revision, { now });
  return {
    after: changed,
    writes: kind === 'transient' ? [] : deliveries.map(({ address }) => blocked(mail.accountId, address, at)),
    events: bounced(changed, bounces, kind, reason),
  };
}

const bounced = (
  mail: StoredMail,
  bounces: readonly MailBounce[],
  kind: MailBounce['kind'],
  reason: string | undefined,
): EventDraft[] =>
  mailHappened('mail_bounced', mail, {
    addresses: bounces.map(({ address }) => address),
    kind,
    ...(reason && { reason }),
  });

const blocked = (account: AccountId, address: string, at: Date): Write =>
  putItem({
    ...blockedAddressKey(account, hashOfAddress(address)),
    type: 'mail-blocked-address',
    at: at.toISOString(),
  });
