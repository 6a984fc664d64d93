import { currencyCodes } from '../currencies.ts';
import { decimalStyleOf, readAmount } from './read-amount.ts';
import { readDay } from './read-day.ts';
import { type Element, elementsNamed, readMarkup, textAt } from './read-markup.ts';
import {
  type DecimalStyle,
  type ReadingOptions,
  type ReadStatement,
  type StatementPart,
  type StatementRow,
  UnreadableStatement,
} from './statement.ts';

/** The types of transactions by which money can only leave the account. */
const outgoing = ['DEBIT', 'FEE', 'SRVCHG', 'CHECK', 'PAYMENT', 'CASH', 'REPEATPMT'];

/** Reads statements of bank accounts in OFX 1 (SGML) and OFX 2 (XML). The sign of an amount is its direction. */
export function readOfx(text: string, options: ReadingOptions): ReadStatement {
  const document = readMarkup(text.slice(text.search(/<OFX>/i)), { isOpen: true });
  const before = text.slice(0, text.search(/<OFX>/i)).split('\n').length - 1;
  const statements = [...elementsNamed(document, 'STMTRS'), ...elementsNamed(document, 'CCSTMTRS')];
  if (statements.length === 0) throw new UnreadableStatement('must have a statement of an account');
  return { format: 'ofx', parts: statements.map((one) => partOf(one, before, options)), skipped: 0 };
}

function partOf(statement: Element, before: number, options: ReadingOptions): StatementPart {
  const currency = textAt(statement, 'CURDEF').toUpperCase() || options.currency;
  const account = textAt(statement, 'BANKACCTFROM/ACCTID') || textAt(statement, 'CCACCTFROM/ACCTID');
  // At any depth, because some banks do not close BANKTRANLIST.
  const booked = elementsNamed(statement, 'STMTTRN');
  const pending = elementsNamed(statement, 'STMTTRNP');
  const style = decimalStyleOf(booked.map((one) => textAt(one, 'TRNAMT'))) ?? 'point';
  const rows = [
    ...booked.map((one) => entryOf(one, before, currency, style)),
    ...pending.map((one): StatementRow => {
      const row = entryOf(one, before, currency, style);
      return 'reason' in row ? row : { ...row, held: 'pending' };
    }),
  ];
  return { account, currency, rows };
}

function entryOf(element: Element, before: number, usual: string, style: DecimalStyle): StatementRow {
  const line = element.line + before;
  const currency = textAt(element, 'CURRENCY/CURSYM').toUpperCase() || usual;
  if (!currencyCodes.includes(currency)) return { line, reason: 'currency_unknown' };
  const amount = readAmount(textAt(element, 'TRNAMT'), currency, style)?.amount;
  if (amount === undefined) return { line, reason: 'amount_unreadable' };
  // The day is that of the bank. In another time zone, it can be another day.
  const posted = textAt(element, 'DTPOSTED') || textAt(element, 'DTTRAN');
  const day = readDay(posted.slice(0, 8), 'ymd');
  if (day === undefined) return { line, reason: 'date_unreadable', amount };
  const type = textAt(element, 'TRNTYPE').toUpperCase();
  if (amount > 0 && outgoing.includes(type)) return { line, reason: 'direction_unknown', amount };
  const text = ['NAME', 'PAYEE/NAME', 'MEMO', 'CHECKNUM', 'REFNUM']
    .map((path) => textAt(element, path))
    .join(' ');
  return {
    ...{ line, day, amount, currency, text, description: text, bankReference: textAt(element, 'FITID') },
    ...(textAt(element, 'CORRECTFITID') !== '' && { held: 'correction' as const }),
  };
}
