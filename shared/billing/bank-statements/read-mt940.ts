import { currencyCodes } from '../currencies.ts';
import { linesOf } from './csv-rows.ts';
import { joinedLines } from './join-lines.ts';
import { readAmount } from './read-amount.ts';
import { readDay } from './read-day.ts';
import {
  type ReadStatement,
  type StatementPart,
  type StatementRow,
  UnreadableStatement,
} from './statement.ts';

/** A field such as `:61:` with the line on which it starts. */
interface Field {
  tag: string;
  line: number;
  /** The lines of the field. */
  lines: string[];
}

const fieldStart = /^:(\d\d[A-Z]?):(.*)$/;
/** C or D, the date, the currency and the amount of a balance (SWIFT, fields 60 and 62). */
const balanceForm = /^([CD])(\d{6})([A-Z]{3})([\d,]+)$/;
/**
 * The value date, the day of the booking without a year, the mark, the third letter of the currency, the amount, the type,
 * the customer’s and the bank’s reference (SWIFT, field 61).
 */
const entryForm = /^(\d{6})(\d{4})?(RC|RD|EC|ED|C|D)([A-Z])?(\d[\d,]*)([A-Z][A-Z\d]{3})?(.*)$/;

function fieldsOf(text: string): Field[] {
  const fields: Field[] = [];
  for (const [at, line] of linesOf(text).entries()) {
    // Blocks of the SWIFT network, such as `{1:F01…}{4:`, enclose the fields.
    const content = line.replace(/^\{.*\{4:\s*$/, '').replace(/^\{4:/, '');
    const [, tag, first = ''] = fieldStart.exec(content) ?? [];
    if (tag !== undefined) fields.push({ tag, line: at + 1, lines: [first] });
    else if (/^-\}?/.test(content) && content.trim().length <= 2)
      fields.push({ tag: '-', line: at + 1, lines: [] });
    else if (content !== '') fields.at(-1)?.lines.push(content);
  }
  return fields;
}

const textOf = ({ lines }: Field): string => (lines[0] ?? '').trim();

function balanceOf(field: Field): { amount: number; currency: string } {
  const [, mark, , currency = '', digits = ''] = balanceForm.exec(textOf(field)) ?? [];
  const read = currencyCodes.includes(currency) ? readAmount(digits, currency, 'comma') : undefined;
  if (!read) throw new UnreadableStatement(`must have balances: line ${field.line} is none`);
  return { amount: mark === 'D' ? 0 - read.amount : read.amount, currency };
}

/** Reads statements of customers in the format MT940. Throws `UnreadableStatement` for a balance that cannot be read. */
export function readMt940(text: string): ReadStatement {
  const parts: StatementPart[] = [];
  let account = '';
  let part: { account: string; currency: string; opening: number; rows: StatementRow[] } | undefined;
  const fields = fieldsOf(text);
  for (const [at, field] of fields.entries()) {
    if (field.tag === '25' || field.tag === '25P') account = textOf(field);
    if (field.tag === '60F' || field.tag === '60M') {
      const { amount, currency } = balanceOf(field);
      part = { account, currency, opening: amount, rows: [] };
    }
    if (field.tag === '61') {
      if (!part) throw new UnreadableStatement(`must have an opening balance before line ${field.line}`);
      const next = fields[at + 1];
      part.rows.push(entryOf(field, next?.tag === '86' ? next : undefined, part.currency));
    }
    if ((field.tag === '62F' || field.tag === '62M') && part) {
      const { amount, currency } = balanceOf(field);
      if (currency !== part.currency) throw new UnreadableStatement('must have balances of one currency');
      parts.push({ ...part, closing: amount });
      part = undefined;
    }
  }
  if (part || parts.length === 0) throw new UnreadableStatement('must have a closing balance');
  return { format: 'mt940', parts, skipped: 0 };
}

function entryOf(field: Field, details: Field | undefined, currency: string): StatementRow {
  const { line, lines } = field;
  const [, valueDate = '', booked, mark = '', , digits = '', , rest = ''] =
    entryForm.exec(textOf(field)) ?? [];
  const read = readAmount(digits, currency, 'comma');
  if (!read) return { line, reason: 'amount_unreadable' };
  // RC reverses a credit, so that money leaves the account. RD reverses a debit.
  const amount = mark === 'C' || mark === 'RD' || mark === 'EC' ? read.amount : 0 - read.amount;
  const day = bookingDay(valueDate, booked);
  if (day === undefined) return { line, reason: 'date_unreadable', amount };
  const [customer = '', bank = ''] = rest.split('//');
  const named = customer.trim() === 'NONREF' ? '' : customer.trim();
  const purpose = details ? purposeOf(details) : '';
  const description = [named, ...lines.slice(1), purpose].join(' ');
  return {
    ...{ line, day, amount, currency, description, bankReference: bank.trim() },
    text: description,
    ...(mark.startsWith('R') && { reverses: true as const }),
    ...(mark.startsWith('E') && { held: 'pending' as const }),
  };
}

/** Returns the day of the booking. It has no year: the year is the one with the day nearest to the value date. */
function bookingDay(valueDate: string, booked: string | undefined): string | undefined {
  const value = readDay(`20${valueDate}`, 'ymd');
  if (value === undefined || booked === undefined) return value;
  const year = Number(value.slice(0, 4));
  const [near] = [year - 1, year, year + 1]
    .flatMap((one) => readDay(`${one}${booked}`, 'ymd') ?? [])
    .toSorted((one, other) => distance(one, value) - distance(other, value));
  return near;
}

const distance = (one: string, other: string): number => Math.abs(Date.parse(one) - Date.parse(other));

/** The most characters of a line of field 86, and of a subfield of the structure that German banks use. */
const [longestLine, longestSubfield] = [65, 27];

/** Returns the purpose of a transaction. Banks break it into lines, and into subfields such as `?20`. */
function purposeOf({ lines }: Field): string {
  const whole = lines.join('');
  const structured = /^\d{3}\?/.test(whole) || /\?2\d/.test(whole);
  if (!structured) return joinedLines(lines, longestLine);
  const subfields = whole
    .split(/\?(?=\d\d)/)
    .slice(1)
    .map((one) => [one.slice(0, 2), one.slice(2)] as const);
  const joined = (wanted: RegExp) =>
    joinedLines(
      subfields.flatMap(([code, content]) => (wanted.test(code) ? [content] : [])),
      longestSubfield,
    );
  return [joined(/^(?:2\d|6[0-3])$/), joined(/^3[23]$/)].join(' ').trim();
}
