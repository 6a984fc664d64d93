import { currencyCodes } from '../currencies.ts';
import { joinedLines } from './join-lines.ts';
import { readAmount } from './read-amount.ts';
import { readDay } from './read-day.ts';
import { type Element, elementsAt, elementsNamed, readMarkup, textAt } from './read-markup.ts';
import {
  type BankEntry,
  type ReadStatement,
  type StatementPart,
  type StatementRow,
  UnreadableStatement,
} from './statement.ts';

/** An amount of the document. */
interface Money {
  amount: number;
  currency: string;
}

function moneyOf(element: Element): Money | undefined {
  const [amount] = elementsAt(element, 'Amt');
  const [, currency = ''] = /\bCcy\s*=\s*["']([A-Z]{3})["']/.exec(amount?.attributes ?? '') ?? [];
  const read =
    amount && currencyCodes.includes(currency) ? readAmount(amount.text, currency, 'point') : undefined;
  if (!read || read.amount < 0) return undefined;
  const direction = textAt(element, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT') return undefined;
  return { currency, amount: direction === 'CRDT' ? read.amount : 0 - read.amount };
}

/** Reads the statements of a CAMT.053 document of ISO 20022, versions 2 to 8. */
export function readCamt053(text: string): ReadStatement {
  const statements = elementsNamed(readMarkup(text, { isOpen: false }), 'Stmt');
  if (statements.length === 0) throw new UnreadableStatement('must have a statement of an account');
  return { format: 'camt053', parts: statements.map(partOf), skipped: 0 };
}

const opening = ['OPBD', 'PRCD'];
const closing = ['CLBD'];

function partOf(statement: Element): StatementPart {
  const account = textAt(statement, 'Acct/Id/IBAN') || textAt(statement, 'Acct/Id/Othr/Id');
  const balances = elementsAt(statement, 'Bal').map((element) => ({
    type: textAt(element, 'Tp/CdOrPrtry/Cd'),
    money: moneyOf(element),
  }));
  // The pages of a long statement begin and end with interim balances.
  const interim = balances.filter(({ type }) => type === 'ITBD');
  const from = balances.find(({ type }) => opening.includes(type)) ?? interim[0];
  const to = balances.find(({ type }) => closing.includes(type)) ?? interim.at(-1);
  const entries = elementsAt(statement, 'Ntry');
  const currency = textAt(statement, 'Acct/Ccy') || from?.money?.currency || currencyOf(entries) || '';
  const areKnown = from?.money?.currency === currency && to?.money?.currency === currency && from !== to;
  const rows = entries.flatMap(rowsOf);
  if (!areKnown || !from?.money || !to?.money) return { account, currency, rows: agreeing(rows) };
  const [start, end] = [from.money.amount, to.money.amount];
  return { account, currency, opening: start, closing: end, rows: agreeing(rows, end - start) };
}

const currencyOf = (entries: readonly Element[]): string | undefined =>
  entries.flatMap((entry) => moneyOf(entry)?.currency ?? [])[0];

/**
 * Returns the entries with the signs of reversals that agree with the balances. In ISO 20022, the indicator already has the
 * direction of the reversal. Some banks keep that of the reversed entry. If the balances do not show which one, no reversal
 * is a payment.
 */
function agreeing(rows: StatementRow[], difference?: number): StatementRow[] {
  const change = (changed: (reversal: BankEntry) => BankEntry): StatementRow[] =>
    rows.map((row) => ('reverses' in row && row.held === undefined ? changed(row) : row));
  const fits = (some: readonly StatementRow[]) =>
    difference ===
    some.reduce(
      (total, row) => ('held' in row && row.held === 'pending' ? total : total + (row.amount ?? 0)),
      0,
    );
  const turned = change((row) => ({ ...row, amount: 0 - row.amount }));
  if (fits(rows) === fits(turned)) return change((row) => ({ ...row, held: 'reversal' }));
  return fits(rows) ? rows : turned;
}

/** Returns the transactions of an entry. A collective entry has several, if their amounts are its amount. */
function rowsOf(entry: Element): StatementRow[] {
  const { line } = entry;
  const money = moneyOf(entry);
  if (!money) return [{ line, reason: 'amount_unreadable' }];
  const { amount, currency } = money;
  const day = dayAt(entry, 'BookgDt') ?? dayAt(entry, 'ValDt');
  if (day === undefined) return [{ line, reason: 'date_unreadable', amount }];
  const status = textAt(entry, 'Sts/Cd') || textAt(entry, 'Sts');
  if (!['BOOK', 'PDNG', 'INFO', 'FUTR'].includes(status)) return [{ line, reason: 'status_unknown', amount }];
  const isReversal = ['true', '1'].includes(textAt(entry, 'RvslInd'));
  const details = elementsAt(entry, 'NtryDtls/TxDtls');
  const shares = details.map((one) => ({ one, money: moneyOf(one) ?? ofVersion2(one, amount) }));
  const sum = shares.reduce(
    (total, share) => total + (share.money?.currency === currency ? share.money.amount : Number.NaN),
    0,
  );
  const row = (share: number, some: readonly Element[], reference: string): BankEntry => {
    const texts = [textAt(entry, 'AddtlNtryInf'), ...some.flatMap(textsOf)].join(' ');
    return {
      ...{ line, day, amount: share, currency, text: texts, description: texts, bankReference: reference },
      ...(isReversal && { reverses: true as const }),
      ...(status !== 'BOOK' && { held: 'pending' as const }),
    };
  };
  const reference = textAt(entry, 'AcctSvcrRef');
  if (details.length < 2 || sum !== amount) return [row(amount, details, reference)];
  return shares.map(({ one, money: share }) =>
    row(share?.amount ?? 0, [one], textAt(one, 'Refs/AcctSvcrRef') || reference),
  );
}

/** Before version 4, the amount of a transaction is within its details, and has the direction of the entry. */
function ofVersion2(details: Element, amountOfEntry: number): Money | undefined {
  const [amount] = [...elementsAt(details, 'Amt'), ...elementsAt(details, 'AmtDtls/TxAmt/Amt')];
  const [, currency = ''] = /\bCcy\s*=\s*["']([A-Z]{3})["']/.exec(amount?.attributes ?? '') ?? [];
  const read =
    amount && currencyCodes.includes(currency) ? readAmount(amount.text, currency, 'point') : undefined;
  return read && { currency, amount: amountOfEntry < 0 ? 0 - read.amount : read.amount };
}

const dayAt = (entry: Element, name: string): string | undefined =>
  readDay(textAt(entry, `${name}/Dt`) || textAt(entry, `${name}/DtTm`).slice(0, 10), 'ymd');

/** The most characters of an unstructured remittance line. */
const longestLine = 140;

/** Returns the texts of a transaction in which a customer can name an invoice. */
function textsOf(details: Element): string[] {
  const lines = (path: string) => elementsAt(details, path).map(({ text }) => text);
  return [
    joinedLines(lines('RmtInf/Ustrd'), longestLine),
    ...lines('RmtInf/Strd/CdtrRefInf/Ref'),
    ...lines('RmtInf/Strd/RfrdDocInf/Nb'),
    ...lines('RmtInf/Strd/AddtlRmtInf'),
    ...lines('Refs/EndToEndId').filter((text) => text !== 'NOTPROVIDED'),
    ...lines('AddtlTxInf'),
    ...lines('RltdPties/Dbtr/Nm'),
    ...lines('RltdPties/Dbtr/Pty/Nm'),
  ];
}
