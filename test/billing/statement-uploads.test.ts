import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import completeBankStatement from '../../functions/billing/complete-bank-statement.ts';
import createBankStatement from '../../functions/billing/create-bank-statement.ts';
import listBankStatementTransactions from '../../functions/billing/list-bank-statement-transactions.ts';
import readBankStatement from '../../functions/billing/read-bank-statement.ts';
import saveBankAccount from '../../functions/billing/save-bank-account.ts';
import importBankStatement from '../../functions/invoices/import-bank-statement.ts';
import readInvoice from '../../functions/invoices/read-invoice.ts';
import { UnreadableStatement } from '../../shared/billing/bank-statements/statement.ts';
import { decodeFile } from '../../shared/billing/statement-uploads/decode-file.ts';
import type { UploadedTransaction } from '../../shared/billing/statement-uploads/schema.ts';
import { deleteObject, findObject } from '../../shared/documents/bucket.ts';
import { statementObject } from '../../shared/documents/object-keys.ts';
import { failCalls } from '../harness/call-faults.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { killStep } from '../harness/heavy.ts';
import { firstKill, killAt } from '../harness/kill.ts';
import { recover } from '../harness/pass-time.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import {
  bai2Style,
  camtStyle,
  csvStyle,
  mt940Style,
  ofxStyle,
  statementOf,
  type TrueStatement,
  writeBai2,
  writeCamt053,
  writeCsv,
  writeMt940,
  writeOfx,
} from './statement-files.ts';
import { billed } from './world.ts';

afterEach(() => {
  vi.restoreAllMocks();
  clock.reset();
});

const described = (bytes: Uint8Array, more: object = {}) => ({
  ...{ fileName: 'march.txt', size: bytes.length },
  ...{ sha256: createHash('sha256').update(bytes).digest('hex'), ...more },
});

/** Requests an upload of a file and uploads it. */
async function uploaded({ admin }: Tenant, file: string | Buffer, more: object = {}) {
  const bytes = new Uint8Array(Buffer.from(file as string));
  const { upload, id } = await admin.ok(createBankStatement, { body: described(bytes, more) });
  const { status } = await fetch(upload.url, { method: upload.method, headers: upload.headers, body: bytes });
  expect(status).toBe(200);
  return { id };
}

/** Uploads a file, imports it, and returns the finished import. */
async function imported(owner: Tenant, file: string | Buffer, more: object = {}) {
  const params = await uploaded(owner, file, more);
  await owner.admin.ok(completeBankStatement, { params });
  await drain();
  return { params, result: await owner.admin.ok(readBankStatement, { params }) };
}

async function transactionsOf(
  { admin }: Pick<Tenant, 'admin'>,
  params: { id: number },
  cursor = '',
): Promise<UploadedTransaction[]> {
  const query = { cursor, pageSize: 100 };
  const { data, nextCursor } = await admin.ok(listBankStatementTransactions, { params, query });
  return nextCursor ? [...data, ...(await transactionsOf({ admin }, params, nextCursor))] : data;
}

const fileOf = ({ accountId }: Tenant, { id }: { id: number }) =>
  findObject(statementObject(accountId, id), { now: clock.now(), deadline: Date.now() + 10_000 });

const invoice = ({ admin }: Tenant, params: { invoiceId: number } | undefined) =>
  admin.ok(readInvoice, { params: params ?? { invoiceId: 0 } });

const row = (day: string, amount: string, text: string) => `2026-03-${day},${amount},${text}`;
const csv = (...rows: readonly string[]) => ['date,amount,text', ...rows, ''].join('\n');

describe('an uploaded bank statement', () => {
  test('is read as is stored for its bank account at the time of the request', async () => {
    const { owner } = await billed(1_000_00);
    const file = 'Tag;Betrag;Text\n03/04/2026;1.000,00;INV-000001\n';
    const params = { id: 'giro' };
    const stored = {
      ...{ name: 'Giro', currency: 'USD', dates: 'mdy' as const, decimals: 'comma' as const },
      columns: { date: 'Tag', amount: 'Betrag' },
    };
    await owner.admin.ok(saveBankAccount, { params, body: stored });
    const upload = await uploaded(owner, file, { bankAccount: 'giro' });
    await owner.admin.ok(saveBankAccount, { params, body: { ...stored, dates: 'dmy' } });
    await owner.admin.ok(completeBankStatement, { params: upload });
    await drain();
    const result = await owner.admin.ok(readBankStatement, { params: upload });
    expect(result).toMatchObject({ status: 'completed', matched: 1 });
    expect(result).not.toHaveProperty('suggestion');
    expect(await transactionsOf(owner, upload)).toMatchObject([{ paidOn: '2026-03-04', amount: 100_000 }]);
  });

  test('is imported in the background, and its file is deleted', async () => {
    const { owner, params: invoices } = await billed(1_000, 2_000);
    const file = csv(
      row('02', '10.00', 'INV-000001'),
      row('03', '5.00', 'INV-000002'),
      row('04', '-1', 'fee'),
    );
    const params = await uploaded(owner, file);
    expect(await owner.admin.ok(readBankStatement, { params })).toMatchObject({
      ...{ fileName: 'march.txt', size: file.length, status: 'awaiting_upload', matched: 0 },
    });
    expect(await owner.admin.ok(completeBankStatement, { params })).toMatchObject({ status: 'running' });
    expect(await owner.admin.ok(completeBankStatement, { params })).toMatchObject({ status: 'running' });
    expect(await fileOf(owner, params)).toBeDefined();
    await drain();
    const result = await owner.admin.ok(readBankStatement, { params });
    expect(result).toMatchObject({
      ...{ status: 'completed', format: 'csv', total: 3, matched: 2, unmatched: 1, duplicates: 0, failed: 0 },
    });
    expect(await owner.admin.ok(completeBankStatement, { params })).toEqual(result);
    expect(result.suggestion).toMatchObject({ name: 'Bank account', currency: 'USD' });
    expect(await transactionsOf(owner, params)).toMatchObject([
      { id: 1, line: 2, result: 'matched', invoiceNumber: 'INV-000001', amount: 1_000, paidOn: '2026-03-02' },
      { line: 3, result: 'matched', invoiceNumber: 'INV-000002', amountDue: 1_500 },
      { line: 4, result: 'unmatched', reason: 'not_incoming', amount: -100 },
    ]);
    expect(await invoice(owner, invoices[0])).toMatchObject({ status: 'paid' });
    expect(await fileOf(owner, params)).toBeUndefined();
    const received = (await storedEvents(owner.accountId)).filter(({ kind }) => kind === 'payment_received');
    expect(received).toHaveLength(2);
    for (const { actor } of received) expect(actor).toMatchObject({ user: result.createdBy });
  });

  test('has the results of the same statement in a request, in every format', async () => {
    const styles = [
      csvStyle.map((style) => (truth: TrueStatement) => writeCsv(truth, style)),
      mt940Style.map((style) => (truth: TrueStatement) => writeMt940(truth, style)),
      camtStyle.map((style) => (truth: TrueStatement) => writeCamt053(truth, style)),
      ofxStyle.map((style) => (truth: TrueStatement) => writeOfx(truth, style)),
      bai2Style.map((style) => (truth: TrueStatement) => writeBai2(truth, style)),
    ];
    for (const style of styles)
      await fc.assert(
        fc.asyncProperty(statementOf(['booked']), style, async (truth, write) => {
          const statement = write({ ...truth, currency: 'USD' }).text;
          const [direct, uploads] = [await billed(5_000, 2_000), await billed(5_000, 2_000)];
          const inRequest = await direct.owner.admin.ok(importBankStatement, { body: { statement } });
          const { params, result } = await imported(uploads.owner, statement);
          const { transactions, ...counts } = inRequest;
          expect(result).toMatchObject({ ...counts, status: 'completed', total: transactions.length });
          const withoutIds = (some: readonly { id?: number; invoiceId?: number }[]) =>
            some.map(({ id, invoiceId, ...rest }) => rest);
          expect(withoutIds(await transactionsOf(uploads.owner, params))).toEqual(withoutIds(transactions));
        }),
        { numRuns: 1 },
      );
  });

  test('of many transactions is imported in the order of the file', async () => {
    const { owner, params: invoices } = await billed(60_000);
    // Equal rows are separate payments, also in different chunks.
    const rows = Array.from({ length: 620 }, (_, n) =>
      n % 10 === 0 ? row('02', '5.00', 'INV-000001') : row('03', '1.00', `rent ${n}`),
    );
    const { params, result } = await imported(owner, csv(...rows));
    expect(result).toMatchObject({ status: 'completed', total: 620, matched: 62, unmatched: 558 });
    const all = await transactionsOf(owner, params);
    expect(all.map(({ id, line }) => [id, line])).toEqual(rows.map((_, n) => [n + 1, n + 2]));
    expect(await invoice(owner, invoices[0])).toMatchObject({ received: 31_000 });
    const query = { result: ['matched' as const], cursor: '', pageSize: 100 };
    const matched = await owner.admin.ok(listBankStatementTransactions, { params, query });
    expect(matched.data.every(({ line }) => (line - 2) % 10 === 0)).toBe(true);
    // The next import finds the payments of the first one.
    const again = await imported(owner, csv(...rows));
    expect(again.result).toMatchObject({ duplicates: 62, matched: 0, unmatched: 558 });
  });

  test('reports as many probable duplicates as payments that other exports recorded, across chunks', async () => {
    const { owner } = await billed(60_000);
    const own = (text: string) => row('02', '5.00', `INV-000001 ${text}`);
    await imported(owner, csv(own('a'), own('a')));
    const between = Array.from({ length: 250 }, (_, n) => row('03', '1.00', `rent ${n}`));
    const rows = [own('b'), ...between, own('b'), ...between, own('b')];
    const { params } = await imported(owner, csv(...rows));
    const all = await transactionsOf(owner, params);
    const outcomes = [0, 251, 502].map((place) => all[place]?.reason ?? all[place]?.result);
    expect(outcomes).toEqual(['probable_duplicate', 'probable_duplicate', 'matched']);
  });

  test('whose balances do not agree is refused with both sums before anything is booked', async () => {
    const { owner, params: invoices } = await billed(1_000);
    const file =
      ':20:X\n:25:DE89370400440532013000\n:28C:1\n:60F:C260301USD100,\n:61:2603020302C10,NTRFNONREF//R1\n:86:INV-000001\n:62F:C260302USD120,\n-\n';
    const { params, result } = await imported(owner, file);
    expect(result).toMatchObject({
      ...{ status: 'failed', matched: 0 },
      error: expect.stringMatching(
        /opens with 100\.00 USD .* lead to 110\.00 USD, but it closes with 120\.00 USD/,
      ),
    });
    expect(await transactionsOf(owner, params)).toEqual([]);
    expect(await invoice(owner, invoices[0])).toMatchObject({ status: 'open', amountDue: 1_000 });
    expect(await fileOf(owner, params)).toBeUndefined();
  });

  test.each([
    ['is not a statement', Buffer.from('hello'), /must have/],
    ['is a binary file', Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0, 0]), /must be a text file/],
    ['has too many lines', '\n'.repeat(500_001), /at most 500000 lines/],
    ['has a long name of an element', `<Document><BkToCstmrStmt><${'a'.repeat(5_000)}>`, /^.{1,301}$/],
  ])('that %s is refused', async (_, file, message) => {
    const { owner } = await billed();
    const { result, params } = await imported(owner, file);
    expect(result).toMatchObject({ status: 'failed', error: expect.stringMatching(message) });
    expect(await fileOf(owner, params)).toBeUndefined();
  });

  test('is read with the options of the request', async () => {
    const { owner } = await billed(1_000);
    const file = 'Wann;Wieviel;Wozu\n02/03/2026;10,00;INV-000001\n';
    const columns = { date: 'Wann', amount: 'Wieviel', description: ['Wozu'] };
    const { params } = await imported(owner, file, { columns, dates: 'dmy', currency: 'USD' });
    expect(await transactionsOf(owner, params)).toMatchObject([{ result: 'matched', paidOn: '2026-03-02' }]);
  });

  test('needs its file before it is complete', async () => {
    const { owner } = await billed();
    const bytes = Buffer.from(csv());
    const { id, upload } = await owner.admin.ok(createBankStatement, { body: described(bytes) });
    const params = { id };
    const early = await owner.admin.call(completeBankStatement, { params });
    expect([early.status, early.body]).toMatchObject([400, { error: 'upload_missing' }]);
    const other = Buffer.from(csv().replace('t', 'u'));
    const sent = await fetch(upload.url, {
      method: 'PUT',
      headers: upload.headers,
      body: new Uint8Array(other),
    });
    expect(sent.status).toBe(400);
    for (const size of [0, 10 * 1024 * 1024 + 1]) {
      const refused = await owner.admin.call(createBankStatement, { body: described(bytes, { size }) });
      expect(refused.status).toBe(400);
    }
    const elsewhere = await tenant();
    const statuses = [
      await elsewhere.admin.call(readBankStatement, { params }),
      await elsewhere.admin.call(completeBankStatement, { params }),
      await elsewhere.admin.call(listBankStatementTransactions, { params }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404]);
  });
});

describe('an import of an uploaded statement', () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  });

  test.each(['before', 'after'] as const)(
    'that is killed %s a call books and reports each payment once',
    async (moment) => {
      const rows = Array.from({ length: 230 }, (_, n) =>
        n % 50 === 0 ? row('02', '5.00', `INV-00000${((n / 50) % 3) + 1}`) : row('03', '1.00', `rent ${n}`),
      );
      for (let n = firstKill(moment, killStep); ; n += 3 * killStep) {
        const { owner, params: invoices } = await billed(1_000, 1_000, 1_000);
        await drain();
        const params = await uploaded(owner, csv(...rows));
        await owner.admin.ok(completeBankStatement, { params });
        const wasKilled = await killAt(n, moment, drain, 'events-jobs');
        await recover();
        expect(await owner.admin.ok(readBankStatement, { params }), `call ${n}`).toMatchObject({
          ...{ status: 'completed', total: 230, matched: 5, unmatched: 225, duplicates: 0, failed: 0 },
        });
        const all = await transactionsOf(owner, params);
        expect(all.map(({ result }) => result)).toEqual(
          rows.map((_, place) => (place % 50 === 0 ? 'matched' : 'unmatched')),
        );
        const paid = await Promise.all(invoices.map((one) => invoice(owner, one)));
        expect(paid.map(({ received }) => received)).toEqual([1_000, 1_000, 500]);
        expect(await fileOf(owner, params)).toBeUndefined();
        if (!wasKilled) return;
      }
    },
  );

  test('tries rows again that could not be recorded, and reports them as failed in the end', async () => {
    const { owner, params: invoices } = await billed(1_000, 2_000);
    const params = await uploaded(
      owner,
      csv(row('02', '10.00', 'INV-000001'), row('02', '20.00', 'INV-000002')),
    );
    await owner.admin.ok(completeBankStatement, { params });
    const { id } = await invoice(owner, invoices[0]);
    const { stop } = failCalls(({ service, operation, input, invocation }) =>
      service === 'dynamodb' &&
      operation === 'TransactWriteItems' &&
      invocation?.functionName === 'events-jobs' &&
      JSON.stringify(input).includes(String(id))
        ? { error: 'ValidationException', status: 400 }
        : undefined,
    );
    await drain();
    expect(await owner.admin.ok(readBankStatement, { params })).toMatchObject({
      status: 'running',
      matched: 0,
    });
    for (let n = 0; n < 6; n++) await recover();
    stop();
    expect(await owner.admin.ok(readBankStatement, { params })).toMatchObject({
      ...{ status: 'completed', matched: 1, failed: 1 },
    });
    const [first] = await transactionsOf(owner, params);
    expect(first).toMatchObject({ result: 'failed', reason: 'busy' });
    const again = await imported(
      owner,
      csv(row('02', '10.00', 'INV-000001'), row('02', '20.00', 'INV-000002')),
    );
    expect(again.result).toMatchObject({ matched: 1, duplicates: 1 });
  });

  test('ends if its file cannot be read again and again, or no longer exists', async () => {
    const { owner } = await billed();
    const params = await uploaded(owner, csv(row('02', '10.00', 'x')));
    await owner.admin.ok(completeBankStatement, { params });
    const { stop } = failCalls(({ service, invocation }) =>
      service === 's3' && invocation?.functionName === 'events-jobs'
        ? { error: 'AccessDenied', status: 403 }
        : undefined,
    );
    for (let n = 0; n < 10; n++) await recover();
    stop();
    await recover();
    expect(await owner.admin.ok(readBankStatement, { params })).toMatchObject({
      ...{ status: 'failed', error: expect.stringMatching(/could not be imported/) },
    });
    const gone = await uploaded(owner, csv(row('02', '10.00', 'x')));
    await owner.admin.ok(completeBankStatement, { params: gone });
    const timing = { now: clock.now(), deadline: Date.now() + 10_000 };
    await deleteObject(statementObject(owner.accountId, gone.id), timing);
    await recover();
    expect(await owner.admin.ok(readBankStatement, { params: gone })).toMatchObject({
      ...{ status: 'failed', error: expect.stringMatching(/no longer exists/) },
    });
  });
});

describe('the text of a file', () => {
  const text = '<?xml version="1.0" encoding="UTF-8"?>\nMüller € – INV–000042';

  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['UTF-16 in the other order', Buffer.from(text, 'utf16le').swap16()],
    // As many banks do, this file states another encoding than it has.
    [
      'Windows-1252',
      Buffer.from(
        text.replace('ü', '\xfc').replace('€', '\x80').replace('–', '\x96').replace('–', '\x96'),
        'latin1',
      ),
    ],
  ])('in %s is decoded', (_, bytes) => {
    expect(decodeFile(bytes)).toBe(text);
  });

  test('is decoded with a stated encoding if it is not UTF-8', () => {
    const latin2 = Buffer.from('<?xml version="1.0" encoding="ISO-8859-2"?>\xb3', 'latin1');
    expect(decodeFile(latin2)).toMatch(/ł$/);
    const cyrillic = Buffer.from('OFXHEADER:100\nCHARSET:1251\n\n<OFX>\xc0', 'latin1');
    expect(decodeFile(cyrillic)).toMatch(/А$/);
    const unknown = Buffer.from('<?xml version="1.0" encoding="none"?>\x80', 'latin1');
    expect(decodeFile(unknown)).toMatch(/€$/);
  });

  test.each([
    ['zeros', Buffer.from('a,b\nc\0d')],
    ['half a character', Buffer.from([0xff, 0xfe, 0x00, 0xd8])],
  ])('with %s is refused', (_, bytes) => {
    expect(() => decodeFile(bytes)).toThrow(UnreadableStatement);
  });
});
