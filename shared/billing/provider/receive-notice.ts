import type { UnverifiedRequest } from '../../endpoints/contract.ts';
import { ApiError } from '../../errors.ts';
import type { Actor, Effects, EventDraft } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { authenticateSender } from '../../messaging/webhooks/authenticate-sender.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import { newRecord } from '../../table/record-fields.ts';
import { type Authored, authoredBy } from '../../table/revise.ts';
import { recordPayment, recordRefund } from '../change-invoice.ts';
import { entryEffects } from '../change-writes.ts';
import { paymentRecorded, refundIssued } from '../events.ts';
import { idsOfInvoiceNumbers } from '../numbers.ts';
import { numbersOf } from '../read-number.ts';
import type { Invoice } from '../schema.ts';
import { invoices } from '../store.ts';
import { unmatchedPaymentChanged } from './events.ts';
import { withMaskedCards } from './mask-cards.ts';
import {
  type NoticeData,
  type NoticeType,
  noticeTypes,
  type ProviderNotice,
  type ProviderNoticeResult,
  type UnmatchedPayment,
  type UnmatchedReason,
  unmatchedReasons,
} from './schema.ts';
import { acceptMessage, isKnownMessage, providers, unmatchedPayments } from './store.ts';

/** The author of the changes that the provider’s notifications cause. */
const providerActor: Actor = { user: 'payment_provider', apiKey: null };

/** An authenticated sender of a notification. */
interface NoticeSender {
  account: AccountId;
  messageId: string;
  keys: DataKeys;
}

/** Authenticates a signed notification. Throws `not_authenticated` and `account_closed`. */
export const authenticateNotice = (sent: UnverifiedRequest): Promise<NoticeSender> =>
  authenticateSender(sent, (account) => providers.find(account));

interface Applied extends Effects {
  response: ProviderNoticeResult;
}

const isNoticeType = (type: string): type is NoticeType => noticeTypes.some((known) => known === type);

/**
 * Applies a notification to the invoice with its number. A notification that cannot be applied is stored, so that it is
 * not lost. Every accepted notification also stores its id, in the same transaction.
 */
export async function applyNotice(
  { account, messageId, keys }: NoticeSender,
  { type, timestamp, data: sent }: ProviderNotice,
  now: Date,
): Promise<Applied> {
  if (await isKnownMessage(account, messageId, now))
    return { response: { result: 'duplicate' }, writes: [], events: [] };
  const accepted = acceptMessage(account, messageId, now);
  if (!isNoticeType(type)) return { response: { result: 'ignored' }, writes: [accepted], events: [] };
  const author = authoredBy(providerActor.user, now);
  const data = withMaskedCards(sent, keys);
  const found = await invoiceOf(account, data);
  const result = found.invoice ? tryNotice(found.invoice, type, data, author) : found;
  if ('reason' in result) {
    const record: UnmatchedPayment = {
      ...newRecord({ ...author, account }),
      ...{ messageId, notice: type, reason: result.reason, occurredAt: timestamp },
      ...knownFields(data),
    };
    return {
      response: { result: 'unmatched', reason: result.reason },
      writes: [accepted, ...unmatchedPayments.insert(record)],
      events: byProvider(account, unmatchedPaymentChanged('unmatched_payment_created', record)),
    };
  }
  return {
    response: { result: result.writes.length > 0 ? 'applied' : 'duplicate' },
    writes: [accepted, ...result.writes],
    events: byProvider(account, result.events),
  };
}

const byProvider = (account: AccountId, events: readonly EventDraft[]): EventDraft[] =>
  events.map((event) => ({ ...event, account, actor: providerActor }));

/** Returns the fields of the schema. The sender may have added others, and may write currencies in any case. */
const knownFields = ({ invoiceNumber, amount, currency, reference, method, paidOn, reason }: NoticeData) => ({
  ...{ invoiceNumber, amount, currency: currency?.toUpperCase(), reference, method, paidOn, failure: reason },
});

type Unmatched = { invoice?: undefined; reason: UnmatchedReason };

async function invoiceOf(
  account: AccountId,
  { invoiceNumber, currency }: NoticeData,
): Promise<{ invoice: Invoice; reason?: undefined } | Unmatched> {
  if (invoiceNumber === undefined) return { reason: 'incomplete' };
  const known = await idsOfInvoiceNumbers(account, numbersOf(invoiceNumber));
  if (known.size > 1) return { reason: 'several_invoices' };
  const [id] = known.values();
  const invoice = id === undefined ? undefined : await invoices.find(account, id);
  if (!invoice) return { reason: 'unknown_invoice' };
  if (isOtherCurrency(invoice, currency)) return { reason: 'other_currency' };
  return { invoice };
}

/** Reports whether a notification names another currency than the invoice has. Its case does not matter. */
export const isOtherCurrency = (invoice: Invoice, currency: string | undefined): boolean =>
  currency !== undefined && currency.toUpperCase() !== invoice.currency;

/** The effects of a notification on an invoice. */
type NoticeChange = (Effects & { after: Invoice }) | { reason: UnmatchedReason };

/** Returns the effects of a notification, or the reason why it cannot be applied. */
function tryNotice(before: Invoice, type: NoticeType, data: NoticeData, author: Authored): NoticeChange {
  try {
    return noticeChange(before, type, data, author);
  } catch (error) {
    const reason =
      error instanceof ApiError ? unmatchedReasons.find((known) => known === error.code) : undefined;
    if (reason === undefined) throw error;
    return { reason };
  }
}

/** Returns the effects of a notification. Throws the errors of payments and refunds. A known payment has no effects. */
export function noticeChange(
  before: Invoice,
  type: NoticeType,
  { amount, reference, method = 'other', paidOn, reason }: NoticeData,
  author: Authored,
): NoticeChange {
  if (amount === undefined || reference === undefined) return { reason: 'incomplete' };
  const terms = { amount, reference, ...(reason !== undefined && { reason }) };
  if (type === 'payment.refunded' || type === 'payment.returned') {
    const refund = recordRefund(before, { ...terms, reopens: type === 'payment.returned' }, author);
    return { after: refund.change?.after ?? before, ...entryEffects(before, refund, refundIssued, author) };
  }
  const result = type === 'payment.received' ? ('received' as const) : ('failed' as const);
  const sent = { ...terms, result, method, ...(paidOn !== undefined && { paidOn }) };
  const payment = recordPayment(before, sent, author);
  return {
    after: payment.change?.after ?? before,
    ...entryEffects(before, payment, paymentRecorded, author),
  };
}
