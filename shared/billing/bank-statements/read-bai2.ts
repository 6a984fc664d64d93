import { currencyCodes } from '../currencies.ts';
import { linesOf } from './csv-rows.ts';
import { readDay } from './read-day.ts';
import {
  type ReadStatement,
  type StatementPart,
  type StatementRow,
  UnreadableStatement,
} from './statement.ts';

/** A record with its continuations, and the line on which it starts. */
interface Record {
  code: string;
  line: number;
  content: string;
  /** The length of its last line. */
  width: number;
}

/** The usual length of a record, without its code. Longer texts continue in records 88. */
const longestLine = 76;

/** Some banks write several records on a line. A slash ends a record, and the fields show where the next one begins. */
const nextRecord = /(?<=\/)[ \t]+(?=02,[^,]*,[^,]*,[1-4],|(?:03|88),|16,\d{3},|(?:49|98|99),[+-]?\d)/;

/** The records and the further lines of their texts. `line` is from 1. */
const piecesOf = (text: string): { line: number; piece: string }[] =>
  linesOf(text).flatMap((line, at) =>
    line.split(nextRecord).map((piece) => ({ line: at + 1, piece: piece.trim() })),
  );

/** More records than a statement of 10 MB has. */
const mostRecords = 500_000;

function recordsOf(text: string): Record[] {
  const records: (Omit<Record, 'content'> & { pieces: string[] })[] = [];
  for (const { line, piece } of piecesOf(text)) {
    if (piece === '') continue;
    const [, code = '', content = ''] = /^(\d\d),(.*)$/.exec(piece) ?? [];
    const last = records.at(-1);
    if (code === '88' || code === '') {
      if (!last) throw new UnreadableStatement('must begin with the record 01');
      // A slash at the end of a line ends a field.
      const rest = code === '' ? piece : content;
      const before = last.pieces.pop() ?? '';
      const joined = before.endsWith('/') ? `${before.slice(0, -1)},` : undefined;
      last.pieces.push(joined ?? before + (last.width < longestLine ? ' ' : ''), rest);
      last.width = rest.length;
    } else records.push({ code, line, pieces: [content], width: content.length });
    if (records.length > mostRecords) throw new UnreadableStatement('must not have so many records');
  }
  return records.map(({ pieces, ...record }) => ({ ...record, content: pieces.join('').replace(/\/$/, '') }));
}

/** Skips the fields after a type of funds. Returns the number of its own fields. */
function fundsFields(type: string, count: string | undefined): number {
  if (type === 'S') return 3;
  if (type === 'V') return 2;
  return type === 'D' ? 1 + 2 * Number(count ?? 0) : 0;
}

/** Amounts are whole numbers in the smallest unit. */
const amountOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[+-]?\d{1,15}$/.test(text.trim()) ? Number(text) || 0 : undefined;

/**
 * Reads statements in BAI2. Only groups with the status 1 (update) are read; deletions and tests are refused. Money comes
 * in with the types 100 to 399 and leaves with the types 400 to 699; banks define 920 to 959 and 960 to 999 in the same way.
 */
export function readBai2(text: string): ReadStatement {
  const parts: (StatementPart & { rows: StatementRow[] })[] = [];
  let [day, currency] = [undefined as string | undefined, 'USD'];
  let skipped = 0;
  for (const { code, line, content } of recordsOf(text)) {
    const fields = content.split(',');
    if (code === '02') {
      if (fields[2] !== '1') throw new UnreadableStatement('must have groups with the status 1 (update)');
      day = readDay(`20${fields[3]?.trim()}`, 'ymd');
      currency = fields[5]?.trim() || 'USD';
    }
    if (code === '03') parts.push(accountOf(fields, currency));
    const part = parts.at(-1);
    if (code === '16') {
      if (!part) throw new UnreadableStatement(`must name an account before line ${line}`);
      const row = entryOf(fields, { line, day, currency: part.currency });
      if (row) part.rows.push(row);
      else skipped++;
    }
  }
  if (parts.length === 0) throw new UnreadableStatement('must have a statement of an account');
  return { format: 'bai2', parts, skipped };
}

/** Reads an account with its balances. They are repeated groups of type, amount, number of items and type of funds. */
function accountOf(
  [account = '', own = '', ...fields]: string[],
  currency: string,
): StatementPart & { rows: StatementRow[] } {
  const balances = new Map<string, number>();
  for (let at = 0; at < fields.length; ) {
    const [type = '', amount, , funds = ''] = fields.slice(at, at + 4);
    const found = amountOf(amount);
    if (found !== undefined && !balances.has(type)) balances.set(type, found);
    at += 4 + fundsFields(funds.trim(), fields[at + 4]);
  }
  const [opening, closing] = [balances.get('010'), balances.get('015')];
  return {
    ...{ account: account.trim(), currency: own.trim() || currency, rows: [] },
    ...(opening !== undefined && { opening }),
    ...(closing !== undefined && { closing }),
  };
}

function directionOf(type: number): 1 | -1 | undefined {
  if ((type >= 100 && type <= 399) || (type >= 920 && type <= 959)) return 1;
  return (type >= 400 && type <= 699) || (type >= 960 && type <= 999) ? -1 : undefined;
}

/** Reversals and returned items. They reverse a debit below 400, and a credit from 400. */
const reversals = [252, 255, 257, 258, 261, 266, 395, 552, 555, 557, 558, 561, 566];
/** Corrections of posting errors. */
const corrections = [254, 554];

/** Reads a transaction. Returns undefined for the type 890, which has no money. */
function entryOf(
  fields: readonly string[],
  { line, day, currency }: { line: number; day: string | undefined; currency: string },
): StatementRow | undefined {
  const [type = '', digits, funds = ''] = fields.map((field) => field.trim());
  if (type === '890') return undefined;
  if (!currencyCodes.includes(currency)) return { line, reason: 'currency_unknown' };
  const size = amountOf(digits === '' ? '0' : digits);
  if (size === undefined) return { line, reason: 'amount_unreadable' };
  const direction = directionOf(Number(type));
  if (direction === undefined) return { line, reason: 'direction_unknown', amount: size };
  const amount = direction * size || 0;
  if (day === undefined) return { line, reason: 'date_unreadable', amount };
  const rest = fields.slice(3 + fundsFields(funds, fields[3]));
  const [bankReference = '', customer = '', ...text] = rest;
  const description = `${customer} ${text.join(',')}`.trim();
  return {
    ...{ line, day, amount, currency, text: description, description },
    bankReference: bankReference.trim(),
    ...(reversals.includes(Number(type)) && { reverses: true as const }),
    ...(corrections.includes(Number(type)) && { held: 'correction' as const }),
  };
}
