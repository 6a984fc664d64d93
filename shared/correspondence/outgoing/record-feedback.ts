import type { EventDraft } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { firstCharacters } from '../../table/cut-text.ts';
import { putItem, type Write } from '../../table/operations.ts';
import { revise } from '../../table/revise.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { mailHappened } from '../mails/events.ts';
import { type MailBounce, type MailDelivery, mailLimits, type StoredMail } from '../mails/schema.ts';
import { mails } from '../mails/store.ts';
import { hashOfAddress, readToken } from '../threads/thread-token.ts';
import { changeMail, type MailChange } from './change-mail.ts';
import { mailDeliveries, stateOfDeliveries } from './deliveries.ts';
import { blockedAddressKey } from './keys.ts';
import { recordOutcome } from './record-outcome.ts';
import { providerIdIn } from './references.ts';

/** A report of SES or of a mail server about an outgoing mail. */
export interface MailFeedback {
  account: AccountId;
  /** The id of the mail and that of SES, or the Message-IDs in a report and in the header that it returns. */
  mail: { id: number; providerId: string } | { messageIds: readonly string[] };
  /** `rejected`: SES accepted the message, but did not deliver it, for example because of a virus. */
  outcome: 'delivered' | 'bounced' | 'complained' | 'rejected';
  /** True for a bounce after which the address is not used for automatic mails any more. */
  permanent?: boolean;
  /** The recipients in the report. If none of them received the mail, the report is about the SES message. */
  recipients: readonly { address: string; diagnostic?: string }[];
  at: Date;
}

/**
 * Records a report on its mail. A rejection is a failure. A permanent bounce and a complaint end the automatic mails to the address. Idempotent. Sends
 * nothing and creates no other record. Returns the id of the mail; undefined if the account has no such outgoing mail.
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

/** The message that a report names: by the id of SES, or by our Message-ID, which contains the hash of its recipient. */
interface NamedMessage {
  providerId?: string | undefined;
  recipientHash?: string | undefined;
}

interface FoundMail extends NamedMessage {
  mail: StoredMail;
}

/** Finds the mail of a report by its id, by our signed Message-IDs, or by the Message-ID of SES. */
async function findMail({ account, mail: named }: MailFeedback): Promise<FoundMail | undefined> {
  if ('id' in named) {
    const mail = await mails.find(account, named.id);
    return mail && { mail, providerId: named.providerId };
  }
  for (const messageId of named.messageIds) {
    const providerId = providerIdIn(messageId);
    if (providerId === undefined) {
      const signed = await findSigned(account, messageId);
      if (signed) return signed;
      continue;
    }
    const mail = await mails.findByProviderId(account, providerId);
    if (mail) return { mail, providerId };
  }
  return undefined;
}

async function findSigned(account: AccountId, messageId: string): Promise<FoundMail | undefined> {
  const token = await readToken(messageId);
  if (token?.kind !== 'thread' || token.account !== account || !token.mailId) return undefined;
  const mail = await mails.find(account, token.mailId);
  return mail && { mail, recipientHash: token.recipientHash };
}

/**
 * Returns the deliveries that a report is about. Each recipient has an own message. A report that names the message of one
 * recipient changes nothing for the others, because the recipients could forge reports about each other.
 */
function concerned(
  mail: StoredMail,
  { recipients }: MailFeedback,
  { providerId, recipientHash }: NamedMessage,
): MailDelivery[] {
  const deliveries = mailDeliveries(mail);
  const ofMessage = deliveries.filter((one) => providerId !== undefined && one.providerId === providerId);
  if (ofMessage.length > 0) return ofMessage;
  const possible = deliveries.filter(
    ({ address }) => recipientHash === undefined || hashOfAddress(address) === recipientHash,
  );
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
