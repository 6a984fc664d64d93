import type { StoredAccount } from '../accounts/schema.ts';
import { accounts } from '../accounts/store.ts';
import { notFound } from '../errors.ts';
import { array, object, type Static, string } from '../schema.ts';
import { inParallel } from '../table/in-parallel.ts';
import { Invoice, InvoiceCredit, InvoicePayment, InvoiceRefund } from './schema.ts';
import { CustomerStatement, readStatement, StatementQuery, statementOf } from './statement.ts';
import { invoices } from './store.ts';

const { from, to } = StatementQuery.properties;
export const ReceivedStatementQuery = object({ from, to });

const { customerType: _, customerId: __, ...statementFields } = CustomerStatement.properties;
export const ReceivedStatement = object(statementFields);

const invoiceFields = [
  ...(['id', 'number', 'status', 'customerName', 'currency', 'net', 'tax', 'total', 'credited'] as const),
  ...([
    'received',
    'refunded',
    'writtenOff',
    'amountDue',
    'issuedOn',
    'dueDate',
    'openedAt',
    'memo',
    'lines',
  ] as const),
] as const;
const entryFields = ['id', 'amount', 'createdAt'] as const;
const paymentFields = [...entryFields, 'result', 'method', 'paidOn'] as const;

/** An invoice as its customer sees it: without the people and the notes of the account that sent it. */
export const ReceivedInvoice = object({
  ...pick(Invoice.properties, invoiceFields),
  sellerName: string({ description: 'The name of the account that sent the invoice.', examples: ['Acme'] }),
  payments: array(object(pick(InvoicePayment.properties, paymentFields))),
  refunds: array(object(pick(InvoiceRefund.properties, entryFields))),
  credits: array(object(pick(InvoiceCredit.properties, entryFields))),
});
type ReceivedInvoice = Static<typeof ReceivedInvoice>;

/** An invoice, and the account that sent it. */
interface Received {
  invoice: Invoice;
  seller: StoredAccount;
}

/**
 * Returns an invoice that the parent of an account sent to this account. Throws `not_found` for all other invoices: drafts,
 * invoices to other customers, and invoices of an earlier parent.
 */
export async function getReceived(account: StoredAccount, invoiceId: number): Promise<Received> {
  const { parentAccountId } = account;
  if (parentAccountId === undefined) throw notFound('invoice', invoiceId);
  const [invoice, seller] = await inParallel([
    invoices.find(parentAccountId, invoiceId),
    accounts.get(parentAccountId),
  ]);
  if (!invoice || !isSentTo(account, invoice)) throw notFound('invoice', invoiceId);
  return { invoice, seller };
}

const isSentTo = ({ id: account }: StoredAccount, { customerType, customerId, status }: Invoice): boolean =>
  customerType === 'account' && customerId === account && status !== 'draft';

export const showReceived = ({ invoice, seller }: Received): ReceivedInvoice => ({
  ...pick(invoice, invoiceFields),
  sellerName: seller.name,
  payments: invoice.payments.map((payment) => pick(payment, paymentFields)),
  refunds: invoice.refunds.map((refund) => pick(refund, entryFields)),
  credits: invoice.credits.map((credit) => pick(credit, entryFields)),
});

/** Returns the named fields. New fields of an invoice stay hidden from its customer until they are named. */
function pick<T, K extends keyof T>(record: T, names: readonly K[]): Pick<T, K> {
  const fields = names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]);
  return Object.fromEntries(fields) as Pick<T, K>;
}

/** Reads the statement of an account with its parent. It is empty for an account without a parent. */
export async function readReceivedStatement(
  { id: customerId, parentAccountId, timezone }: StoredAccount,
  period: Static<typeof ReceivedStatementQuery>,
): Promise<Static<typeof ReceivedStatement>> {
  if (parentAccountId === undefined) return { ...period, balances: [], entries: [] };
  const customer = { customerType: 'account' as const, customerId };
  const found = await readStatement(parentAccountId, customer, period);
  const { balances, entries } = statementOf(customer, period, timezone, found);
  // References are hidden as in received invoices: they can name accounts and people of the parent.
  return { ...period, balances, entries: entries.map(({ reference: _, ...entry }) => entry) };
}
