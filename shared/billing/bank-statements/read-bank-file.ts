import { decimalOf } from '../currencies.ts';
import { readBai2 } from './read-bai2.ts';
import { readCamt053 } from './read-camt053.ts';
import { readCsv } from './read-csv.ts';
import { readMt940 } from './read-mt940.ts';
import { readOfx } from './read-ofx.ts';
import {
  isUnreadRow,
  type ReadingOptions,
  type ReadStatement,
  type StatementPart,
  UnreadableStatement,
} from './statement.ts';

type Reader = (text: string, options: ReadingOptions) => ReadStatement;

/** The readers of the formats, with the beginning that only a format has. CSV has none, so it is the last one. */
const readers: readonly { starts: RegExp; read: Reader }[] = [
  { starts: /<(?:[\w.-]+:)?BkToCstmrStmt[\s>]|:camt\.053\./, read: readCamt053 },
  { starts: /^\s*OFXHEADER\s*:|<\?OFX\b|<OFX>/i, read: readOfx },
  { starts: /^\s*01,[^,\n]*,[^,\n]*,\d{6},\d{0,4},/, read: readBai2 },
  { starts: /(?:^|\n)\s*:(?:20|25P?|60F|60M):|\{4:\s*\n?:20:/, read: readMt940 },
  { starts: /^/, read: readCsv },
];

function readerOf(text: string) {
  const found = readers.find(({ starts }) => starts.test(text.slice(0, 4_096)));
  if (!found) throw new Error('CSV fits every text');
  return found;
}

/**
 * Reads a statement in any format. The content of the file decides. Throws `UnreadableStatement` for a file that
 * cannot be read, and for one whose transactions do not lead from its opening balance to its closing balance.
 */
export function readBankFile(text: string, options: ReadingOptions): ReadStatement {
  const statement = readerOf(text).read(text, options);
  for (const part of statement.parts) checkBalances(part);
  return statement;
}

/** The sum of the booked transactions, also of those whose date cannot be read. */
const sumOf = ({ rows }: StatementPart): number =>
  rows.reduce((sum, row) => (!isUnreadRow(row) && row.held === 'pending' ? sum : sum + (row.amount ?? 0)), 0);

function checkBalances(part: StatementPart): void {
  const { account, currency, opening, closing } = part;
  if (opening === undefined || closing === undefined) return;
  const reached = opening + sumOf(part);
  if (reached === closing) return;
  const [from, to, stated] = [opening, reached, closing].map(
    (amount) => `${decimalOf(amount, currency)} ${currency}`,
  );
  throw new UnreadableStatement(
    `must contain all transactions: account ${account.slice(-4)} opens with ${from} and its transactions lead to ${to}, but it closes with ${stated}`,
  );
}
