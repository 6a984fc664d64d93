import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import completeFile from '../../functions/residual-files/complete-residual-file.ts';
import createFile from '../../functions/residual-files/create-residual-file.ts';
import listFiles from '../../functions/residual-files/list-residual-files.ts';
import listRows from '../../functions/residual-files/list-residual-rows.ts';
import readFile from '../../functions/residual-files/read-residual-file.ts';
import createFormat from '../../functions/residual-formats/create-residual-format.ts';
import deleteFormat from '../../functions/residual-formats/delete-residual-format.ts';
import listFormats from '../../functions/residual-formats/list-residual-formats.ts';
import readFormat from '../../functions/residual-formats/read-residual-format.ts';
import updateFormat from '../../functions/residual-formats/update-residual-format.ts';
import { deleteObject, findObject } from '../../shared/documents/bucket.ts';
import { residualObject } from '../../shared/documents/object-keys.ts';
import { residualFiles, residualRows } from '../../shared/residuals/files/store.ts';
import { failCalls } from '../harness/call-faults.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { residualKills } from '../harness/heavy.ts';
import { countCalls, killAt } from '../harness/kill.ts';
import { passTime, recover } from '../harness/pass-time.ts';
import { storedEvents, storedHappenings } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { plainFormat } from './plain-format.ts';
import { described, formatted, imported, rowsOf, uploaded } from './residual-files.ts';
import { writeWorkbook } from './write-workbook.ts';

afterEach(() => {
  vi.restoreAllMocks();
  clock.reset();
});

const csv = (...rows: readonly string[]) => ['MID,DBA,Volume,Income,Expense,Net', ...rows, ''].join('\n');
const row = (mid: string, net: string) => `${mid},Harbor Street Coffee,100,2,1,${net}`;

const objectOf = ({ accountId }: Tenant, id: number) =>
  findObject(residualObject(accountId, id), { now: clock.now(), deadline: Date.now() + 10_000 });

const importsOf = async ({ accountId }: Tenant): Promise<unknown[]> =>
  (await storedHappenings(accountId, 'residual_file_imported')).map(({ detail }) => detail);

async function read(owner: Tenant, id: number, body: { formatId?: number } = {}) {
  const params = { id };
  await owner.admin.ok(completeFile, { params, body });
  await drain();
  return owner.admin.ok(readFile, { params });
}

describe('a format', () => {
  test('is changed by versions, listed and deleted', async () => {
    const owner = await tenant();
    const format = await formatted(owner, plainFormat('PCI fee'));
    const params = { id: format.id };
    expect(format).toMatchObject({ version: 1, processor: 'Northwind', headerRows: 1 });
    const changed = await owner.admin.ok(updateFormat, { params, body: { decimals: null, headerRows: 2 } });
    expect(changed).toMatchObject({ version: 2, headerRows: 2 });
    expect(changed).not.toHaveProperty('decimals');
    expect(await owner.admin.ok(readFormat, { params })).toEqual(changed);
    const query = { processor: 'Northwind' };
    expect((await owner.admin.ok(listFormats, { query })).data).toEqual([changed]);
    expect(await owner.admin.ok(deleteFormat, { params })).toEqual(changed);
    expect((await owner.admin.call(readFormat, { params })).status).toBe(404);
    const detail = (formatVersion: number) => ({ processor: 'Northwind', formatVersion });
    const happenings = await storedHappenings(owner.accountId);
    expect(happenings.map(({ happening, detail: about }) => [happening, about])).toEqual([
      ['residual_format_created', detail(1)],
      ['residual_format_updated', detail(2)],
      ['residual_format_deleted', detail(2)],
    ]);
  });

  test('has fees with different names', async () => {
    const { admin } = await tenant();
    const { status, body } = await admin.call(createFormat, { body: plainFormat('Fee', 'Fee') });
    expect([status, body]).toMatchObject([400, { error: 'invalid_input' }]);
  });
});

describe('a file of residuals', () => {
  test('is read in the background with the format of its processor, and the upload is deleted', async () => {
    const owner = await tenant();
    const { id: merchantId } = await owner.admin.ok(createMerchant, { body: { merchantName: 'Harbor' } });
    await owner.admin.ok(createMid, { params: { merchantId }, body: { mid: 'a44450' } });
    const format = await formatted(owner);
    const file = csv(
      row('A44450', '12.34'),
      row('2', '(0.5)'),
      row('A44450', '1'),
      row('3', 'x'),
      'Total,,,,,13',
    );
    const { id } = await uploaded(owner, file, { processor: 'northwind' });
    const params = { id };
    expect(await owner.admin.ok(readFile, { params })).toMatchObject({
      state: 'waiting',
      fileName: 'residuals.xlsx',
    });
    expect(await owner.admin.ok(completeFile, { params, body: {} })).toMatchObject({ state: 'reading' });
    expect(await owner.admin.ok(completeFile, { params, body: {} })).toMatchObject({ state: 'reading' });
    expect(await owner.admin.ok(readFile, { params })).toMatchObject({ state: 'reading', rows: 0 });
    await drain();
    const found = await owner.admin.ok(readFile, { params });
    expect(found).toMatchObject({
      ...{ state: 'read', fileVersion: 1, formatId: format.id, formatVersion: 1, rows: 3, total: 12_840_000 },
      ...{ statedTotal: 13_000_000, difference: 160_000, rejectedRows: 1, problemCount: 1 },
      problems: [{ place: 5, column: 'Net', text: 'x', reason: 'not_a_number' }],
      unknownMids: { count: 1, mids: ['2'] },
      repeatedMids: { count: 1, mids: ['A44450'] },
    });
    expect(await rowsOf(owner, params)).toMatchObject([
      { id: 2, mid: 'A44450', dba: 'Harbor Street Coffee', volume: 100_000_000, net: 12_340_000 },
      { id: 3, mid: '2', net: -500_000 },
      { id: 4, mid: 'A44450', net: 1_000_000 },
    ]);
    const query = { mid: 'A44450' };
    expect((await owner.admin.ok(listRows, { params, query })).data.map((one) => one.id)).toEqual([2, 4]);
    expect(await objectOf(owner, id)).toBeUndefined();
    expect(await importsOf(owner)).toMatchObject([{ fileVersion: 1, rows: 3, total: 12_840_000 }]);
    const listed = await owner.admin.ok(listFiles, { query: { month: '2026-10', state: 'read' } });
    expect(listed.data).toMatchObject([{ id, rows: 3, difference: 160_000 }]);
    const stored = await residualFiles.get(owner.accountId, id);
    expect(await residualRows.at(stored, 3)).toMatchObject({ place: 3, net: -500_000 });
    expect(await residualRows.at(stored, 5)).toBeUndefined();
  });

  test('without a format shows a suggestion, and is read after a person has confirmed it', async () => {
    const owner = await tenant();
    const { id } = await uploaded(owner, csv(row('1', '1')));
    const waiting = await read(owner, id);
    expect(waiting).toMatchObject({
      state: 'waiting',
      suggestion: { columns: { mid: 'MID', net: { add: ['Net'] } } },
    });
    expect(await importsOf(owner)).toEqual([]);
    if (!waiting.suggestion) throw new Error('The file has no suggestion.');
    await formatted(owner, waiting.suggestion);
    const found = await read(owner, id);
    expect(found).toMatchObject({ state: 'read', rows: 1, fileVersion: 1 });
    expect(found).not.toHaveProperty('suggestion');
  });

  test('that could not be read is read again with another format, and keeps none of the first rows', async () => {
    const owner = await tenant();
    const wrong = await formatted(owner, { ...plainFormat(), columns: { mid: 'No', net: { add: ['Net'] } } });
    const { id } = await uploaded(owner, csv(row('1', '1')));
    expect(await read(owner, id, { formatId: wrong.id })).toMatchObject({
      ...{ state: 'failed', error: 'The file must have the columns of the format. Missing: "No".' },
    });
    expect(await rowsOf(owner, { id })).toEqual([]);
    const right = await formatted(owner);
    expect(await read(owner, id, { formatId: right.id })).toMatchObject({ state: 'read', rows: 1 });
    expect(await rowsOf(owner, { id })).toHaveLength(1);
  });

  test('that was read changes nothing the second time, and a corrected file is a new version', async () => {
    const owner = await tenant();
    const format = await formatted(owner);
    const first = await imported(owner, csv(row('1', '1')));
    const before = await storedEvents(owner.accountId);
    const bytes = Buffer.from(csv(row('1', '1')));
    const again = await owner.admin.ok(createFile, { body: described(bytes) });
    expect(again).toEqual(first);
    expect(again).not.toHaveProperty('upload');
    expect(await storedEvents(owner.accountId)).toEqual(before);
    const second = await imported(owner, csv(row('1', '2')));
    expect(second).toMatchObject({ state: 'read', fileVersion: 2, total: 2_000_000 });
    expect(await imported(owner, csv(row('1', '1')))).toMatchObject({ state: 'read', fileVersion: 3 });
    await owner.admin.ok(updateFormat, { params: { id: format.id }, body: { negatives: 'debit' } });
    expect(await imported(owner, csv(row('1', '1')))).toMatchObject({ fileVersion: 4, formatVersion: 2 });
    const latest = await residualFiles.latestOf(owner.accountId, '2026-10');
    expect(latest).toMatchObject([{ processor: 'Northwind', fileVersion: 4 }]);
    expect(await importsOf(owner)).toHaveLength(4);
  });

  test('that is uploaded twice before it is read is read once', async () => {
    const owner = await tenant();
    await formatted(owner);
    const files = [await uploaded(owner, csv(row('1', '1'))), await uploaded(owner, csv(row('1', '1')))];
    for (const { id } of files) await owner.admin.ok(completeFile, { params: { id }, body: {} });
    await drain();
    await passTime(60_000);
    const states = await Promise.all(files.map(({ id }) => owner.admin.ok(readFile, { params: { id } })));
    expect(states.map(({ state }) => state).sort()).toEqual(['failed', 'read']);
    expect(states.find(({ state }) => state === 'failed')?.error).toMatch(/already read as version 1/);
    expect(await importsOf(owner)).toHaveLength(1);
  });

  test('needs its upload, and is hidden from other accounts', async () => {
    const owner = await tenant();
    const bytes = Buffer.from(csv(row('1', '1')));
    const { id } = await owner.admin.ok(createFile, { body: described(bytes) });
    const params = { id };
    const early = await owner.admin.call(completeFile, { params, body: {} });
    expect([early.status, early.body]).toMatchObject([400, { error: 'upload_missing' }]);
    const large = await owner.admin.call(createFile, {
      body: described(bytes, { size: 25 * 1024 * 1024 + 1 }),
    });
    expect(large.status).toBe(400);
    const other = await tenant();
    const statuses = [
      await other.admin.call(readFile, { params }),
      await other.admin.call(completeFile, { params, body: {} }),
      await other.admin.call(listRows, { params }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404]);
  });

  test('that is refused has the reason', async () => {
    const owner = await tenant();
    await formatted(owner);
    const file = writeWorkbook([{ name: 'A', rows: [['MID']] }], { parts: { 'xl/vbaProject.bin': 'x' } });
    expect(await imported(owner, file)).toMatchObject({
      ...{ state: 'failed', error: 'The file has macros. Save it as XLSX without macros, or as CSV.' },
    });
    const euros = {
      ...plainFormat(),
      processor: 'Harbor',
      columns: { mid: 'MID', net: { add: ['Net (EUR)'] } },
    };
    await formatted(owner, euros);
    expect(await imported(owner, 'MID,Net (EUR)\n1,2\n', { processor: 'Harbor' })).toMatchObject({
      state: 'failed',
      error:
        'The column "Net (EUR)" is in EUR. Residuals are in USD: convert the amounts, and rename the column.',
    });
    const large = csv(row('1', '9000000000'), row('2', '9000000000'));
    expect(await imported(owner, large)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/too large/),
    });
  });
});

describe('the reading of a file', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  });

  /** Chunks of 60 fees have about 80 rows, and 8 of them are stored together. */
  const fees = Array.from({ length: 60 }, (_, n) => `Fee ${n + 1}`);
  const many = (count: number) =>
    [
      ['MID', 'DBA', 'Volume', 'Income', 'Expense', 'Net', ...fees].join(','),
      ...Array.from(
        { length: count },
        (_, n) => `${4445000 + n},Shop ${n},1,1,1,${n}.25,${fees.map(() => n).join(',')}`,
      ),
    ].join('\n');

  test('that is killed at random points stores each row once', async () => {
    const count = 700;
    const file = many(count);
    let calls = 0;
    for (let round = 0; round <= residualKills; round++) {
      const owner = await tenant();
      await formatted(owner, plainFormat(...fees));
      await drain();
      const { id } = await uploaded(owner, file);
      await owner.admin.ok(completeFile, { params: { id }, body: {} });
      const moment = Math.random() < 0.5 ? 'before' : 'after';
      const call = 1 + Math.floor(Math.random() * calls);
      if (calls === 0) calls = await countCalls(drain, 'events-residuals');
      else expect(await killAt(call, moment, drain, 'events-residuals'), `${call} of ${calls}`).toBe(true);
      await recover();
      const found = await owner.admin.ok(readFile, { params: { id } });
      const point = `killed ${moment} call ${call}`;
      expect(found, point).toMatchObject({ state: 'read', rows: count, fileVersion: 1 });
      const stored = await residualFiles.get(owner.accountId, id);
      const places: number[] = [];
      for await (const rows of residualRows.read(stored)) places.push(...rows.map(({ place }) => place));
      expect(places, point).toEqual(Array.from({ length: count }, (_, n) => n + 2));
      expect(await importsOf(owner), point).toHaveLength(1);
      expect(await objectOf(owner, id), point).toBeUndefined();
    }
  });

  test('ends if its upload cannot be read again and again, or no longer exists', async () => {
    const owner = await tenant();
    await formatted(owner);
    const { id } = await uploaded(owner, csv(row('1', '1')));
    await owner.admin.ok(completeFile, { params: { id }, body: {} });
    const { stop } = failCalls(({ service, invocation }) =>
      service === 's3' && invocation?.functionName === 'events-residuals'
        ? { error: 'AccessDenied', status: 403 }
        : undefined,
    );
    for (let round = 0; round < 15; round++) await passTime(120_000);
    stop();
    expect(await owner.admin.ok(readFile, { params: { id } })).toMatchObject({
      ...{ state: 'failed', error: expect.stringMatching(/could not be read/) },
    });
    const gone = await uploaded(owner, csv(row('1', '2')));
    await owner.admin.ok(completeFile, { params: { id: gone.id }, body: {} });
    const timing = { now: clock.now(), deadline: Date.now() + 10_000 };
    await deleteObject(residualObject(owner.accountId, gone.id), timing);
    await passTime(120_000);
    expect(await owner.admin.ok(readFile, { params: { id: gone.id } })).toMatchObject({
      ...{ state: 'failed', error: expect.stringMatching(/no longer exists/) },
    });
  });
});
