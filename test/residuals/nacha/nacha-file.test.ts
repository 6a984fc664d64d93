import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAchRecords } from '../../../shared/residuals/nacha/read-ach-records.ts';
import {
  type AchFile,
  achLimit,
  inFileOrder,
  writeNachaFile,
} from '../../../shared/residuals/nacha/write-nacha-file.ts';
import { achFile } from './ach-files.ts';

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);

const example: AchFile = {
  originator: {
    companyName: 'Harbor Payments Incorporated',
    companyId: '1234567890',
    odfiRoutingNumber: '121042882',
    destination: '121042882',
    destinationName: 'First Harbor Bank',
    origin: '1234567890',
    originName: 'Harbor Payments',
    entryDescription: 'Residuals',
  },
  createdOn: '2026-11-25',
  createdAt: '16:05',
  modifier: 'B',
  effectiveDate: '2026-11-27',
  descriptiveDate: 'OCT 26',
  entries: [
    {
      holderType: 'person',
      holderName: 'Zoë Müller-Łukasz',
      accountType: 'savings',
      routingNumber: '011000015',
      accountNumber: '000123456789',
      amount: 123_45,
      reference: '214563398120449',
      trace: '121042880000041',
    },
    {
      holderType: 'company',
      holderName: 'Northwind Agents LLC',
      accountType: 'checking',
      routingNumber: '021000021',
      accountNumber: '9-88-77',
      amount: 1,
      reference: '214563398120450',
      trace: '121042880000042',
      memo: 'Residuals 2026-10',
    },
  ],
};

describe('the NACHA file', () => {
  test('has each field at the position of the Nacha rules', () => {
    expect(linesOf(writeNachaFile(example))).toEqual([
      '101 12104288212345678902611251605B094101FIRST HARBOR BANK      HARBOR PAYMENTS                ',
      '5220HARBOR PAYMENTS                     1234567890PPDRESIDUALS OCT 26261127   1121042880000001',
      '632011000015000123456789     0000012345214563398120449ZOE MULLER-LUKASZ       0121042880000041',
      '82200000010001100001000000000000000000012345' + '1234567890                         121042880000001',
      '5220HARBOR PAYMENTS                     1234567890CCDRESIDUALS OCT 26261127   1121042880000002',
      '6220210000219-88-77          0000000001214563398120450NORTHWIND AGENTS LLC    1121042880000042',
      '705RESIDUALS 2026-10                                                               00010000042',
      '82200000020002100002000000000000000000000001' + '1234567890                         121042880000002',
      `9000002000001000000030003200003000000000000000000012346${' '.repeat(39)}`,
      '9'.repeat(94),
    ]);
  });

  test('has lines of 94 ASCII characters in complete blocks of ten, and sums that its reader confirms', () => {
    fc.assert(
      fc.property(achFile, (file) => {
        const text = writeNachaFile(file);
        const lines = linesOf(text);
        expect(lines.every((line) => /^[\x20-\x7e]{94}$/.test(line))).toBe(true);
        expect(lines.length % 10).toBe(0);
        const entries = readAchRecords(text).flatMap((batch) => batch.entries);
        expect(entries.map(({ entry }) => Number(entry.text.slice(29, 39)))).toEqual(
          inFileOrder(file.entries).map(({ amount }) => amount),
        );
        const hash = file.entries.reduce((sum, one) => sum + BigInt(one.routingNumber.slice(0, 8)), 0n);
        const control = lines.find((line, index) => index > 0 && line.startsWith('9'));
        expect(control?.slice(21, 31)).toBe(String(hash % 10_000_000_000n).padStart(10, '0'));
        expect(writeNachaFile(file)).toBe(text);
      }),
    );
  });

  test('has trace numbers that begin with the originating bank and increase', () => {
    fc.assert(
      fc.property(achFile, (file) => {
        const traces = readAchRecords(writeNachaFile(file)).flatMap(({ entries }) =>
          entries.map(({ entry }) => entry.text.slice(79)),
        );
        const prefix = file.originator.odfiRoutingNumber.slice(0, 8);
        expect(traces.every((trace) => trace.startsWith(prefix))).toBe(true);
        expect(traces).toEqual([...traces].sort());
        expect(new Set(traces).size).toBe(file.entries.length);
      }),
    );
  });

  test('never contains an amount that does not fit into its field', () => {
    expect(achLimit([9_999_999_999])).toBeUndefined();
    expect(achLimit([10_000_000_000])).toContain('99,999,999.99');
    expect(achLimit(Array(101).fill(9_999_999_999))).toContain('9,999,999,999.99');
    const [first] = example.entries;
    const tooMuch = first ? [{ ...first, amount: 10_000_000_000 }] : [];
    expect(() => writeNachaFile({ ...example, entries: tooMuch })).toThrow('does not fit into 10 digits');
  });
});
