import {
  type AchAccountType,
  alphameric,
  blockSize,
  creditCodes,
  hashModulus,
  largestEntry,
  largestTotal,
  numeric,
  recordLength,
} from './fields.ts';

/** A payment. Routing, account and trace numbers are texts, because zeros at the start belong to them. */
export interface AchEntry {
  /** A person gets an entry of the class PPD, a company one of the class CCD. */
  holderType: 'person' | 'company';
  holderName: string;
  accountType: AchAccountType;
  routingNumber: string;
  accountNumber: string;
  /** Cents. */
  amount: number;
  /** The statement, at most 15 characters. */
  reference: string;
  /** Fifteen digits: the first eight of the originating bank's routing number, and seven that increase in the file. */
  trace: string;
  /** The text of an addenda record. */
  memo?: string;
}

/** The company that pays, and its bank, as the bank wants them in the file. */
export interface AchOriginator {
  companyName: string;
  /** Ten characters that the bank assigns, often `1` and the EIN. */
  companyId: string;
  /** The nine digits of the originating bank (ODFI). */
  odfiRoutingNumber: string;
  /** The bank that receives the file: nine digits. */
  destination: string;
  destinationName: string;
  /** At most ten characters that the bank assigns. */
  origin: string;
  originName: string;
  /** At most ten characters, shown to the recipient. */
  entryDescription: string;
}

export interface AchFile {
  originator: AchOriginator;
  /** The local day and time of the creation: `2026-11-30` and `16:05`. */
  createdOn: string;
  createdAt: string;
  /** A for the first file of a day, then B to Z and 0 to 9. */
  modifier: string;
  /** The banking day on which the recipients should have the money. */
  effectiveDate: string;
  /** At most six characters for the recipients, such as `OCT 26`. */
  descriptiveDate: string;
  entries: readonly AchEntry[];
}

/** The classes in the order of their batches. */
const classes = [
  { holderType: 'person', code: 'PPD' },
  { holderType: 'company', code: 'CCD' },
] as const;

/** Only credits, without an entry that debits the company's account. */
const serviceClass = '220';

interface Sums {
  entriesAndAddenda: number;
  hash: number;
  credit: number;
}

const nothing: Sums = { entriesAndAddenda: 0, hash: 0, credit: 0 };

const added = (one: Sums, other: Sums): Sums => ({
  entriesAndAddenda: one.entriesAndAddenda + other.entriesAndAddenda,
  hash: one.hash + other.hash,
  credit: one.credit + other.credit,
});

const shortDay = (day: string): string => day.replaceAll('-', '').slice(2);

/** Returns the entries in the order of a file: those of persons, then those of companies. */
export const inFileOrder = <E extends Pick<AchEntry, 'holderType'>>(entries: readonly E[]): E[] =>
  classes.flatMap(({ holderType }) => entries.filter((one) => one.holderType === holderType));

/**
 * Returns why payments do not fit into a file, as a sentence; undefined if they fit. Each amount has at most ten digits, and
 * the sum has at most twelve.
 */
export function achLimit(amounts: readonly number[]): string | undefined {
  if (amounts.some((amount) => amount > largestEntry))
    return 'A NACHA file pays at most 99,999,999.99 in one entry. Pay this statement by hand.';
  if (amounts.reduce((sum, amount) => sum + amount, 0) > largestTotal)
    return 'A NACHA file pays at most 9,999,999,999.99. Create several payouts with fewer statements.';
  return undefined;
}

/**
 * Returns a NACHA file of credits with records of 94 characters and complete blocks. Equal inputs give equal bytes. The trace
 * numbers must increase in the order of `inFileOrder`. Throws for amounts that `achLimit` reports.
 */
export function writeNachaFile(file: AchFile): string {
  const batches = classes
    .map(({ holderType, code }) => ({
      code,
      entries: file.entries.filter((entry) => entry.holderType === holderType),
    }))
    .filter(({ entries }) => entries.length > 0)
    .map(({ code, entries }, index) => batchOf(file, code, entries, index + 1));
  const sums = batches.map((batch) => batch.sums).reduce(added, nothing);
  const records = [fileHeader(file), ...batches.flatMap((batch) => batch.records)];
  const blocks = Math.ceil((records.length + 1) / blockSize);
  records.push(fileControl(batches.length, blocks, sums));
  const filler = Array<string>(blocks * blockSize - records.length).fill('9'.repeat(recordLength));
  return `${[...records, ...filler].join('\n')}\n`;
}

const fileHeader = ({ originator, createdOn, createdAt, modifier }: AchFile): string =>
  [
    '101',
    originator.destination.padStart(10),
    alphameric(originator.origin, 10).trimEnd().padStart(10),
    shortDay(createdOn),
    numeric(createdAt.replace(':', ''), 4),
    modifier,
    '094101',
    alphameric(originator.destinationName, 23),
    alphameric(originator.originName, 23),
    ' '.repeat(8),
  ].join('');

function batchOf(file: AchFile, code: string, entries: readonly AchEntry[], batch: number) {
  const { originator } = file;
  const odfi = originator.odfiRoutingNumber.slice(0, 8);
  const header = [
    `5${serviceClass}`,
    alphameric(originator.companyName, 16),
    ' '.repeat(20),
    alphameric(originator.companyId, 10),
    code,
    alphameric(originator.entryDescription, 10),
    alphameric(file.descriptiveDate, 6),
    shortDay(file.effectiveDate),
    // The settlement date, which the ACH operator inserts, and the status of a bank that is bound by the rules.
    '   1',
    odfi,
    numeric(batch, 7),
  ].join('');
  const sums = entries.map(sumsOf).reduce(added, nothing);
  const control = [
    `8${serviceClass}`,
    numeric(sums.entriesAndAddenda, 6),
    controlSums(sums),
    alphameric(originator.companyId, 10),
    ' '.repeat(25),
    odfi,
    numeric(batch, 7),
  ].join('');
  return { records: [header, ...entries.flatMap(entryRecords), control], sums };
}

const sumsOf = ({ routingNumber, amount, memo }: AchEntry): Sums => ({
  entriesAndAddenda: memo === undefined ? 1 : 2,
  hash: Number(routingNumber.slice(0, 8)),
  credit: amount,
});

/** The entry hash, the debits and the credits, as in the control of a batch and of the file. */
const controlSums = ({ hash, credit }: Sums): string =>
  [numeric(hash % hashModulus, 10), numeric(0, 12), numeric(credit, 12)].join('');

function entryRecords(entry: AchEntry): string[] {
  const { memo, trace } = entry;
  const record = [
    `6${creditCodes[entry.accountType]}`,
    entry.routingNumber,
    entry.accountNumber.padEnd(17),
    numeric(entry.amount, 10),
    alphameric(entry.reference, 15),
    alphameric(entry.holderName, 22),
    '  ',
    memo === undefined ? '0' : '1',
    trace,
  ].join('');
  if (memo === undefined) return [record];
  return [record, ['705', alphameric(memo, 80), numeric(1, 4), trace.slice(-7)].join('')];
}

const fileControl = (batches: number, blocks: number, sums: Sums): string =>
  [
    `9${numeric(batches, 6)}`,
    numeric(blocks, 6),
    numeric(sums.entriesAndAddenda, 8),
    controlSums(sums),
    ' '.repeat(39),
  ].join('');
