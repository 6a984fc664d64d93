import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ReturnItem, readReturnFile } from '../../../shared/residuals/nacha/read-return-file.ts';
import { writeNachaFile } from '../../../shared/residuals/nacha/write-nacha-file.ts';
import { accountNumber, achFile, type BankReport, routingNumber, writeReturnFile } from './ach-files.ts';

const trace = fc.stringMatching(/^12104288\d{7}$/);

const returned = fc.record({
  code: fc.integer({ min: 1, max: 39 }).map((code) => `R${String(code).padStart(2, '0')}`),
  trace,
  amount: fc.integer({ min: 1, max: 9_999_999_999 }),
  note: fc.constantFrom('', 'ACCOUNT CLOSED 2026'),
});

/** A notification of change, with the correction that it means. */
const changed = fc
  .record({
    trace,
    routing: routingNumber,
    account: accountNumber,
    type: fc.constantFrom('22', '27', '32', '37'),
  })
  .chain(({ trace: of, routing, account, type }) => {
    const accountType = type.startsWith('2') ? 'checking' : 'savings';
    const long = account.padEnd(17);
    return fc
      .constantFrom(
        { code: 'C01', corrected: account, correction: { accountNumber: account } },
        { code: 'C02', corrected: routing, correction: { routingNumber: routing } },
        {
          code: 'C03',
          corrected: `${routing}   ${long}`,
          correction: { routingNumber: routing, accountNumber: account },
        },
        { code: 'C05', corrected: type, correction: { accountType } },
        { code: 'C06', corrected: `${long}   ${type}`, correction: { accountNumber: account, accountType } },
        {
          code: 'C07',
          corrected: `${routing}${long}${type}`,
          correction: { routingNumber: routing, accountNumber: account, accountType },
        },
        { code: 'C09', corrected: 'A-17', correction: undefined },
      )
      .map((one) => ({ ...one, trace: of }));
  });

const withoutLine = ({ line, ...item }: ReturnItem) => item;

const file = writeReturnFile([{ code: 'R01', trace: '121042880000041', amount: 123_45 }]);

describe('the file of returns', () => {
  test('gives each return and each change with its code, its entry and its values', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(returned, changed), { maxLength: 30 }), (reports) => {
        expect(readReturnFile(writeReturnFile(reports)).map(withoutLine)).toEqual(
          reports.map((one) =>
            'correction' in one
              ? {
                  kind: 'change',
                  code: one.code,
                  trace: one.trace,
                  amount: 0,
                  ...(one.correction && { correction: one.correction }),
                }
              : { kind: 'return', ...one },
          ),
        );
      }),
    );
  });

  test('is read without line breaks, and without the spaces at the end of its lines', () => {
    const items = readReturnFile(file);
    expect(items).toMatchObject([{ code: 'R01', line: 4, amount: 123_45 }]);
    expect(readReturnFile(file.replaceAll('\r\n', ''))).toEqual(items);
    expect(readReturnFile(file.replaceAll(/ +\r\n/g, '\n'))).toEqual(items);
  });

  test('gives entries that are not returned as others', () => {
    fc.assert(
      fc.property(achFile, (sent) => {
        const items = readReturnFile(writeNachaFile(sent));
        expect(items.map(({ kind, trace: of }) => `${kind} ${of}`)).toEqual(
          sent.entries.map((entry) => `other ${entry.trace}`),
        );
      }),
    );
  });

  test.each<[string, BankReport]>([
    [
      'a routing number with a wrong check digit',
      { code: 'C02', trace: '1'.repeat(15), corrected: '011000016' },
    ],
    ['an empty account number', { code: 'C01', trace: '1'.repeat(15), corrected: '' }],
    ['the type of a loan', { code: 'C05', trace: '1'.repeat(15), corrected: '52' }],
  ])('corrects nothing with %s', (_, report) => {
    const [item] = readReturnFile(writeReturnFile([report]));
    expect(item).toMatchObject({ kind: 'change', code: report.code });
    expect(item).not.toHaveProperty('correction');
  });

  test.each<[string, (text: string) => string, string]>([
    ['cut', (text) => text.split('\r\n').slice(0, 4).join('\r\n'), 'line 4: must be the control record'],
    [
      'without the end of a batch',
      (text) => text.replace(/8220.*\r\n/, ''),
      'line 5: the control record of the batch',
    ],
    ['in another format', () => 'id,code\r\n1,R01', 'line 1: must be the header of a NACHA file'],
    ['empty', () => '', 'line 1: must be the header'],
    [
      'with another amount',
      (text) => text.replaceAll('0000012345 ', '0000012346 '),
      'the sum of the credits is 12345',
    ],
    [
      'with a repeated entry',
      (text) => text.replace(/(621.*\r\n799.*\r\n)/, '$1$1'),
      'the number of entries and addenda is 2',
    ],
    [
      'with an unknown code',
      (text) => text.replace('799R01', '799X01'),
      'line 4: the code must be R and two digits',
    ],
    [
      'with letters in a trace number',
      (text) => text.replace('R01121042880000041', 'R0112104288000004A'),
      'line 4: the original trace number',
    ],
    [
      'with a longer line',
      (text) => text.replace('\r\n', ' \r\n'),
      'line 1: must have at most 94 ASCII characters',
    ],
    ['with records after the end', (text) => `${text}5220`, 'line 11: must be filler'],
    [
      'with another number of blocks',
      (text) => text.replace(/\r\n9000001000001/, '\r\n9000001000002'),
      'the number of blocks is 2',
    ],
  ])('that is %s is refused with its line', (_, change, message) => {
    expect(() => readReturnFile(change(file))).toThrow(message);
  });
});
