import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRows } from '../../infra/operations/import/read-rows.ts';
import { rejectedPath, rejectedRows } from '../../infra/operations/import/rejected-rows.ts';
import { atEndOfAll, temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder(atEndOfAll());

const input = join(folder, 'leads.csv');
const cell = fc.string({ unit: fc.constantFrom(...'=+-@＝\t\r\n\'";,a1 ') });

test('no cell of a file of rejected rows is a formula, and a second import reads the original cells', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1 }), cell, async (rows, name) => {
      const columns = ['Company', `${name}x`.trim()];
      const rejected = rejectedRows(input, columns);
      const values = rows.map((cells) => Object.fromEntries(columns.map((column, n) => [column, cells[n]])));
      for (const [n, row] of values.entries())
        rejected.add({ line: n, values: row }, [{ line: n, message: '=1+1' }]);
      rejected.close();
      const written: string[][] = parse(readFileSync(rejectedPath(input), 'utf8'));
      expect(written.flat().filter((one) => /^[=+\-@＝＋－＠\t\r\n]/.test(one))).toEqual([]);
      const read: unknown[] = [];
      for await (const { values } of readRows(rejectedPath(input)))
        read.push(Object.fromEntries(columns.map((column) => [column, values[column]])));
      expect(read).toEqual(values);
    }),
  );
});

test('rows that are rejected again are written with one line number and one reason', async () => {
  const rejected = rejectedRows(input, ['line', 'reason', 'Company']);
  rejected.add({ line: 7, values: { line: '2', reason: 'old', Company: 'Acme' } }, [
    { line: 7, message: 'new' },
  ]);
  rejected.close();
  expect(readFileSync(rejectedPath(input), 'utf8')).toBe('line,reason,Company\n7,new,Acme\n');
});
