import fc from 'fast-check';
import {
  type AchEntry,
  type AchFile,
  type AchOriginator,
  inFileOrder,
} from '../../../shared/residuals/nacha/write-nacha-file.ts';

/** Adds the check digit of the American Bankers Association to eight digits. */
function withCheckDigit(eight: string): string {
  const weights = [3, 7, 1, 3, 7, 1, 3, 7];
  const sum = weights.reduce((total, weight, place) => total + weight * Number(eight[place]), 0);
  return `${eight}${(10 - (sum % 10)) % 10}`;
}

export const routingNumber = fc
  .tuple(fc.constantFrom('01', '02', '07', '11', '12', '26', '32'), fc.integer({ min: 1, max: 999_999 }))
  .map(([prefix, rest]) => withCheckDigit(`${prefix}${String(rest).padStart(6, '0')}`));

const text = (longest: number) => fc.stringMatching(new RegExp(`^[A-Z][A-Z0-9 ]{0,${longest - 2}}[A-Z0-9]$`));

export const accountNumber = fc.stringMatching(/^\d{4,17}$/);

const originator: fc.Arbitrary<AchOriginator> = fc
  .record({
    companyName: text(16),
    companyId: fc.stringMatching(/^1\d{9}$/),
    odfiRoutingNumber: routingNumber,
    destinationName: text(23),
    origin: fc.stringMatching(/^\d{9,10}$/),
    originName: text(23),
    entryDescription: text(10),
  })
  .map((one) => ({ ...one, destination: one.odfiRoutingNumber }));

const entry: fc.Arbitrary<Omit<AchEntry, 'trace'>> = fc.record(
  {
    holderType: fc.constantFrom('person' as const, 'company' as const),
    holderName: text(22),
    accountType: fc.constantFrom('checking' as const, 'savings' as const),
    routingNumber,
    accountNumber,
    amount: fc.oneof(fc.integer({ min: 1, max: 500_000 }), fc.constant(9_999_999_999)),
    reference: fc.stringMatching(/^\d{15}$/),
    memo: text(60),
  },
  {
    requiredKeys: [
      'holderType',
      'holderName',
      'accountType',
      'routingNumber',
      'accountNumber',
      'amount',
      'reference',
    ],
  },
);

/** Files with up to 80 payments. Their total fits into the file. */
export const achFile: fc.Arbitrary<AchFile> = fc
  .record({
    originator,
    createdOn: fc.constantFrom('2026-11-30', '2027-01-04'),
    createdAt: fc.constantFrom('00:05', '16:30'),
    modifier: fc.constantFrom('A', 'Z', '0', '9'),
    effectiveDate: fc.constantFrom('2026-12-01', '2027-01-05'),
    descriptiveDate: fc.constantFrom('OCT 26', 'NOV 26'),
    entries: fc.array(entry, { minLength: 1, maxLength: 80 }),
    firstTrace: fc.integer({ min: 1, max: 9_000_000 }),
  })
  .map(({ entries, firstTrace, ...file }) => ({
    ...file,
    entries: inFileOrder(entries).map((one, index) => ({
      ...one,
      trace: `${file.originator.odfiRoutingNumber.slice(0, 8)}${String(firstTrace + index).padStart(7, '0')}`,
    })),
  }));

/** What a bank reports about an entry. */
export interface BankReport {
  code: string;
  trace: string;
  /** Cents. */
  amount?: number;
  note?: string;
  /** The 29 characters of a notification of change. */
  corrected?: string;
}

const zeros = (value: number, width: number) => String(value).padStart(width, '0');
/** The bank that returns: its routing number, and that of the bank that receives the returns. */
const returning = '021000021';
const receiving = '12104288';

/** Writes the file of a bank: each report is a batch of its own, as banks of recipients send them. */
export function writeReturnFile(reports: readonly BankReport[]): string {
  const sums = (count: number, credit: number) =>
    `${zeros(count, 8)}${zeros((Number(receiving) * (count / 2)) % 1e10, 10)}${zeros(0, 12)}${zeros(credit, 12)}`;
  const amountOf = ({ amount = 0, code }: BankReport) => (code.startsWith('C') ? 0 : amount);
  const batches = reports.flatMap((report, index) => {
    const { code, trace, note = '', corrected = '' } = report;
    const isChange = code.startsWith('C');
    const own = `${returning.slice(0, 8)}${zeros(index + 1, 7)}`;
    const end = `${returning.slice(0, 8)}${zeros(index + 1, 7)}`;
    const content = isChange
      ? `${' '.repeat(6)}${returning.slice(0, 8)}${corrected.padEnd(29)}${' '.repeat(15)}`
      : `${' '.repeat(6)}${returning.slice(0, 8)}${note.padEnd(44)}`;
    return [
      `5220HARBOR PAYMENTS ${' '.repeat(20)}1234567890${isChange ? 'COR' : 'PPD'}RESIDUALS OCT 26261202335${'1'}${end}`,
      `621${receiving}2${'123456789'.padEnd(17)}${zeros(amountOf(report), 10)}${' '.repeat(15)}${'ADA BYRON'.padEnd(22)}  1${own}`,
      `7${isChange ? '98' : '99'}${code}${trace}${content}${own}`,
      `8220${sums(2, amountOf(report)).slice(2)}1234567890${' '.repeat(25)}${end}`,
    ];
  });
  const total = reports.reduce((sum, report) => sum + amountOf(report), 0);
  const records = [
    `101 ${receiving}2 ${returning}2612020815A094101${'FIRST HARBOR BANK'.padEnd(23)}${'FEDERAL RESERVE BANK'.padEnd(23)}${' '.repeat(8)}`,
    ...batches,
  ];
  const blocks = Math.ceil((records.length + 1) / 10);
  records.push(
    `9${zeros(reports.length, 6)}${zeros(blocks, 6)}${sums(2 * reports.length, total)}${' '.repeat(39)}`,
  );
  while (records.length % 10 > 0) records.push('9'.repeat(94));
  return `${records.join('\r\n')}\r\n`;
}
