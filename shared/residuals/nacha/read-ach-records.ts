import { blockSize, hashModulus, recordLength } from './fields.ts';

/** Thrown for a file that is not a complete NACHA file. The message begins with the line. */
export class UnreadableAchFile extends Error {
  override readonly name = 'UnreadableAchFile';
  constructor(
    readonly line: number,
    problem: string,
  ) {
    super(`line ${line}: ${problem}`);
  }
}

export interface AchRecord {
  /** From 1. */
  line: number;
  text: string;
}

interface AchEntryRecords {
  entry: AchRecord;
  addenda: AchRecord[];
}

interface AchBatchRecords {
  header: AchRecord;
  entries: AchEntryRecords[];
}

/** Returns the characters of a field. Positions are as in Nacha's tables: from 1, both included. */
export const achField = ({ text }: AchRecord, from: number, to: number): string => text.slice(from - 1, to);

/** Returns a field of digits. Throws `UnreadableAchFile` for other characters. */
export function digitsOf(record: AchRecord, from: number, to: number, name: string): string {
  const text = achField(record, from, to);
  if (!/^\d+$/.test(text)) throw new UnreadableAchFile(record.line, `${name} must have only digits`);
  return text;
}

const numberOf = (record: AchRecord, from: number, to: number, name: string): number =>
  Number(digitsOf(record, from, to, name));

/**
 * Reads the records of a NACHA file, with or without line breaks, and checks their order and all their sums. Throws
 * `UnreadableAchFile` for a file that is cut, altered or in another format.
 */
export function readAchRecords(text: string): AchBatchRecords[] {
  const records = recordsIn(text);
  const end = records.findIndex((record, index) => index > 0 && record.text.startsWith('9'));
  const control = records[end];
  const first = records[0];
  if (!first?.text.startsWith('101'))
    throw new UnreadableAchFile(1, 'must be the header of a NACHA file, which begins with 101');
  if (!control)
    throw new UnreadableAchFile(
      records.length,
      'must be the control record of the file, which begins with 9',
    );
  const filler = records.slice(end + 1).find((record) => !/^9+$/.test(record.text));
  if (filler) throw new UnreadableAchFile(filler.line, 'must be filler, because the file has ended');
  const { batches, controls } = batchesIn(records.slice(1, end));
  const sums = batches.map(({ entries }) => sumsOf(entries));
  for (const [index, batch] of controls.entries())
    checkSums(batch, { at: 5, digits: 6 }, sums[index] ?? none);
  checkSums(control, { at: 14, digits: 8 }, sums.reduce(added, none));
  checkNumber(control, [2, 7], 'the number of batches', batches.length);
  checkNumber(control, [8, 13], 'the number of blocks', Math.ceil(records.length / blockSize));
  return batches;
}

function recordsIn(text: string): AchRecord[] {
  const isOneLine = !/[\r\n]/.test(text.trimEnd());
  const lines = isOneLine ? (text.match(/.{1,94}/gs) ?? []) : text.split(/\r\n?|\n/);
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines.map((line, index) => {
    if (!/^[\x20-\x7e]*$/.test(line) || line.length > recordLength)
      throw new UnreadableAchFile(index + 1, `must have at most ${recordLength} ASCII characters`);
    // A mail or an editor may have removed the spaces at the end.
    return { line: index + 1, text: line.padEnd(recordLength) };
  });
}

/** Groups the records between the header and the control of the file. */
function batchesIn(records: readonly AchRecord[]): { batches: AchBatchRecords[]; controls: AchRecord[] } {
  const batches: AchBatchRecords[] = [];
  const controls: AchRecord[] = [];
  for (const record of records) {
    const open = batches.length > controls.length ? batches.at(-1) : undefined;
    const entry = open?.entries.at(-1);
    const type = record.text[0];
    if (type === '5' && !open) batches.push({ header: record, entries: [] });
    else if (type === '6' && open) open.entries.push({ entry: record, addenda: [] });
    else if (type === '7' && entry) entry.addenda.push(record);
    else if (type === '8' && open) controls.push(record);
    else throw new UnreadableAchFile(record.line, `a record of the type ${type} is not expected here`);
  }
  if (batches.length > controls.length)
    throw new UnreadableAchFile(
      (records.at(-1)?.line ?? 1) + 1,
      'the control record of the batch is missing',
    );
  return { batches, controls };
}

interface RecordSums {
  count: number;
  hash: number;
  debit: number;
  credit: number;
}

const none: RecordSums = { count: 0, hash: 0, debit: 0, credit: 0 };

const added = (one: RecordSums, other: RecordSums): RecordSums => ({
  count: one.count + other.count,
  hash: one.hash + other.hash,
  debit: one.debit + other.debit,
  credit: one.credit + other.credit,
});

function sumsOf(entries: readonly AchEntryRecords[]): RecordSums {
  return entries
    .map(({ entry, addenda }): RecordSums => {
      const amount = numberOf(entry, 30, 39, 'the amount');
      // The second digit of the transaction code: 1 to 4 for credits and their returns, 6 to 9 for debits.
      const isDebit = numberOf(entry, 3, 3, 'the transaction code') > 5;
      const hash = numberOf(entry, 4, 11, 'the routing number');
      const sides = isDebit ? { debit: amount, credit: 0 } : { debit: 0, credit: amount };
      return { count: 1 + addenda.length, hash, ...sides };
    })
    .reduce(added, none);
}

/** Compares the control record of a batch or of the file with the sums of the entries. `at` is the position of the count. */
function checkSums(
  record: AchRecord,
  { at, digits }: { at: number; digits: number },
  { count, hash, debit, credit }: RecordSums,
): void {
  const next = at + digits;
  checkNumber(record, [at, next - 1], 'the number of entries and addenda', count);
  checkNumber(record, [next, next + 9], 'the entry hash', hash % hashModulus);
  checkNumber(record, [next + 10, next + 21], 'the sum of the debits', debit);
  checkNumber(record, [next + 22, next + 33], 'the sum of the credits', credit);
}

function checkNumber(
  record: AchRecord,
  [from, to]: readonly [number, number],
  name: string,
  counted: number,
): void {
  const stated = numberOf(record, from, to, name);
  if (stated !== counted)
    throw new UnreadableAchFile(record.line, `${name} is ${stated}, but the records give ${counted}`);
}
