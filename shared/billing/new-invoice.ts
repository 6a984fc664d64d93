import { invalid } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import { refuseCardNumbers } from '../security/card-numbers.ts';
import { newRecord } from '../table/record-fields.ts';
import type { Authored, Revision } from '../table/revise.ts';
import { largestNet, lineAmounts, sumOfLines } from './amounts.ts';
import type { KnownCustomer } from './customers.ts';
import type { Invoice, InvoiceInput, InvoicePatch } from './schema.ts';

type LineInput = InvoiceInput['lines'][number];

/** Computes the amounts of lines. Throws `invalid_input` for a line with a too large amount. */
function computedLines(lines: readonly LineInput[]): Invoice['lines'] {
  return lines.map(({ description, quantity, unitAmount, taxRate, ...sent }, index) => {
    refuseCardNumbers({ [`lines[${index}].description`]: description });
    if (quantity * unitAmount > largestNet)
      throw invalid(`lines[${index}].quantity`, `times unitAmount must be at most ${largestNet}`);
    const terms = { quantity, unitAmount, ...(taxRate !== undefined && { taxRate }) };
    const amounts = lineAmounts(terms);
    for (const name of ['net', 'tax', 'total'] as const)
      if (sent[name] !== undefined && sent[name] !== amounts[name])
        throw invalid(`lines[${index}].${name}`, `must be omitted or ${amounts[name]}`);
    return { description, ...terms, ...amounts };
  });
}

const nothingPaid = { credited: 0, received: 0, refunded: 0, writtenOff: 0, amountDue: 0 };

/** Builds a draft. */
export function newInvoice(
  request: Authored & { account: AccountId },
  { customerType, customerId, currency, dueDate, memo, lines: sent }: InvoiceInput,
  customer: KnownCustomer,
): Invoice {
  refuseCardNumbers({ memo });
  const lines = computedLines(sent);
  return {
    ...newRecord(request),
    status: 'draft',
    ...{ customerType, customerId, ...customer, currency, lines },
    ...sumOfLines(lines),
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
  const lines = sent && computedLines(sent);
  return {
    ...fields,
    ...(customer && {
      customerName: customer.customerName,
      customerAddress: customer.customerAddress ?? null,
    }),
    ...(lines && { lines, ...sumOfLines(lines) }),
  };
}
