import { invalid } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { refuseCardNumbers } from '../security/card-numbers.ts';
import { newRecord } from '../table/record-fields.ts';
import type { Authored, Revision } from '../table/revise.ts';
import { type Amounts, type LineTerms, largestNet, lineAmounts, sumOfLines } from './amounts.ts';
import type { KnownCustomer } from './customers.ts';
import { type Invoice, type InvoiceInput, type InvoicePatch, mostEntries } from './schema.ts';

type LineInput = InvoiceInput['lines'][number];
type Line = Invoice['lines'][number];

/**
 * Returns the exact value of a pair of fields such as `taxRate` and `exactTaxRate`. Throws `invalid_input` if both are sent
 * and the first is not rounded up.
 */
function exactOf(field: string, whole: number | undefined, exact: number | undefined): number | undefined {
  if (exact !== undefined && whole !== undefined && whole !== Math.ceil(exact))
    throw invalid(field, `must be omitted or ${Math.ceil(exact)}`);
  return exact ?? whole;
}

/** Returns the terms of a line. Throws `invalid_input` for contradictory fields and a too large amount. */
function termsOf(line: LineInput, at: string): LineTerms {
  const quantity = exactOf(`${at}.quantity`, line.quantity, line.exactQuantity);
  if (quantity === undefined) throw invalid(`${at}.quantity`, 'is required without exactQuantity');
  const taxRate = exactOf(`${at}.taxRate`, line.taxRate, line.exactTaxRate);
  if (line.discount && line.unitAmount < 0)
    throw invalid(`${at}.unitAmount`, 'must not be negative if discount is true');
  const unitAmount = line.discount ? 0 - line.unitAmount : line.unitAmount;
  return { quantity, unitAmount, ...(taxRate !== undefined && { taxRate }) };
}

/** Returns the terms as they are stored and shown: with whole numbers in the first field of a pair. */
const storedTerms = ({
  quantity,
  unitAmount,
  taxRate,
}: LineTerms): Omit<Line, 'description' | 'net' | 'tax' | 'total'> => ({
  quantity: Math.ceil(quantity),
  ...(!Number.isInteger(quantity) && { exactQuantity: quantity }),
  unitAmount: Math.abs(unitAmount),
  ...(unitAmount < 0 && { discount: true }),
  ...(taxRate !== undefined && { taxRate: Math.ceil(taxRate) }),
  ...(taxRate !== undefined && !Number.isInteger(taxRate) && { exactTaxRate: taxRate }),
});

function computedLine(line: LineInput, at: string): Line {
  refuseCardNumbers({ [`${at}.description`]: line.description });
  const terms = termsOf(line, at);
  const amounts = lineAmounts(terms);
  if (Math.abs(amounts.net) > largestNet)
    throw invalid(`${at}.quantity`, `times unitAmount must be at most ${largestNet}`);
  for (const name of ['net', 'tax', 'total'] as const)
    if (line[name] !== undefined && line[name] !== amounts[name])
      throw invalid(`${at}.${name}`, `must be omitted or ${amounts[name]}`);
  return { description: line.description, ...storedTerms(terms), ...amounts };
}

/** The largest total of an invoice, which its payments can pay. */
const largestTotal = mostEntries * largestNet;

/** Computes the amounts of lines, and their sums. Throws `invalid_input` for an invalid line and an invalid total. */
function computedLines(sent: readonly LineInput[]): Pick<Invoice, 'lines' | keyof Amounts> {
  const lines = sent.map((line, index) => computedLine(line, `lines[${index}]`));
  const sums = sumOfLines(lines);
  if (sums.total < 0) throw invalid('lines', 'must not have a negative total');
  if (sums.total > largestTotal) throw invalid('lines', `must have a total of at most ${largestTotal}`);
  return { lines, ...sums };
}

const nothingPaid = { credited: 0, received: 0, refunded: 0, writtenOff: 0, amountDue: 0 };

/** Builds a draft. */
export function newInvoice(
  request: Authored & { account: AccountId },
  { customerType, customerId, currency, dueDate, memo, lines: sent }: InvoiceInput,
  customer: KnownCustomer,
): Invoice {
  refuseCardNumbers({ memo });
  return {
    ...newRecord(request),
    status: 'draft',
    ...{ customerType, customerId, ...customer, currency, ...computedLines(sent) },
    ...nothingPaid,
    ...(dueDate !== undefined && { dueDate }),
    ...(memo !== undefined && { memo }),
    payments: [],
    refunds: [],
    credits: [],
  };
}

/** Returns the fields that a PATCH of a draft sets. `customer` is the new customer, if the body has one. */
export function draftRevision(
  { lines: sent, ...fields }: InvoicePatch,
  customer: KnownCustomer | undefined,
): Revision<Invoice> {
  refuseCardNumbers({ memo: fields.memo });
  return {
    ...fields,
    ...(customer && {
      customerName: customer.customerName,
      customerAddress: customer.customerAddress ?? null,
    }),
    ...(sent && computedLines(sent)),
  };
}
