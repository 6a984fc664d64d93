import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import cancelPayout from '../../../functions/residual-payouts/cancel-payout.ts';
import createPayout from '../../../functions/residual-payouts/create-payout.ts';
import downloadPayout from '../../../functions/residual-payouts/download-payout.ts';
import importReturns from '../../../functions/residual-payouts/import-returns.ts';
import listPayouts from '../../../functions/residual-payouts/list-payouts.ts';
import readPayout from '../../../functions/residual-payouts/read-payout.ts';
import readPayoutAccount from '../../../functions/residual-payouts/read-payout-account.ts';
import recordPaymentResult from '../../../functions/residual-payouts/record-payment-result.ts';
import savePayoutAccount from '../../../functions/residual-payouts/save-payout-account.ts';
import { rotateDataKey } from '../../../infra/operations/rotate-data-key.ts';
import { readAchRecords } from '../../../shared/residuals/nacha/read-ach-records.ts';
import { readBalances } from '../../../shared/residuals/runs/month-sums.ts';
import type { StoredStatement } from '../../../shared/residuals/statements/schema.ts';
import { residualStatements } from '../../../shared/residuals/statements/store.ts';
import type { CallResponse, ErrorBody } from '../../harness/call.ts';
import { clock } from '../../harness/clock.ts';
import { byChoice, interleave } from '../../harness/interleave.ts';
import { scanTable, storedHappenings } from '../../harness/raw-table.ts';
import { type Tenant, tenant } from '../../harness/tenant.ts';
import { type BankReport, writeReturnFile } from '../nacha/ach-files.ts';
import { accountOf, agent, bank, setBank, storedStatement } from './world.ts';

const acme = await tenant();
const { admin } = acme;
await setBank(acme);

const faultOf = ({ status, body }: CallResponse<unknown>) => {
  const { error, details = [] } = body as ErrorBody;
  return [status, error, ...details.map(({ field, message }) => `${field} ${message}`)].join(' ');
};
const stateOf = async ({ accountId, id }: StoredStatement) =>
  (await residualStatements.get(accountId, id)).state;
const pay = (statementIds: number[], format: 'nacha' | 'csv' = 'nacha') =>
  admin.ok(createPayout, { body: { format, statementIds } });
const fileOf = ({ id }: { id: number }) => admin.ok(downloadPayout, { params: { id } });
const send = (reports: readonly BankReport[], of = acme) =>
  of.admin.ok(importReturns, { body: { fileContent: writeReturnFile(reports) } });
/** All stored items, except the counts of calls. */
const storedRecords = async () => (await scanTable()).filter(({ pk }) => !pk.includes('#CALLS#'));
const happenings = (of: Tenant) => storedHappenings(of.accountId);

/** A downloaded payout of one statement, whose agent has this bank account. */
async function sentPayment(input: Parameters<typeof agent>[1] = {}) {
  const ada = await agent(acme, input);
  const statement = await storedStatement(acme, ada.id);
  const payout = await pay([statement.id]);
  await fileOf(payout);
  const [entry] = payout.entries;
  if (!entry?.trace) throw new Error('The payment has no trace number.');
  return { ada, statement, payout, entry, trace: entry.trace };
}
const accountNumberOf = async (id: number) =>
  admin.ok(readPayoutAccount, { params: { id: accountOf(id) }, query: { reveal: true } });

describe('a payout', () => {
  test('pays persons by PPD and companies by CCD, in a file whose bytes never change', async () => {
    const [ada, northwind] = [
      await agent(acme, { accountNumber: '00777000111' }),
      await agent(acme, {
        holderType: 'company',
        holderName: 'Northwind Agents LLC',
        accountType: 'savings',
      }),
    ];
    const first = await storedStatement(acme, northwind.id, { payable: 5 });
    const second = await storedStatement(acme, ada.id);
    const payout = await pay([first.id, second.id]);
    expect(payout).toMatchObject({ state: 'created', payments: 2, total: 123_50, returned: 0, skipped: [] });
    expect(payout.entries.map(({ n, statementId, amount }) => [n, statementId, amount])).toEqual([
      [1, second.id, 123_45],
      [2, first.id, 5],
    ]);
    const file = await fileOf(payout);
    expect(file.fileName).toBe(`payout-${payout.id}.ach`);
    const batches = readAchRecords(file.fileContent);
    expect(batches.map(({ header }) => header.text.slice(50, 53))).toEqual(['PPD', 'CCD']);
    expect(batches.map(({ entries }) => entries[0]?.entry.text.slice(12, 29).trim())).toEqual([
      '00777000111',
      bank.accountNumber,
    ]);
    await admin.ok(savePayoutAccount, {
      params: { id: accountOf(ada.id) },
      body: { ...bank, accountNumber: '999' },
    });
    await rotateDataKey(acme.accountId);
    clock.advance(60_000);
    expect(await fileOf(payout)).toEqual(file);
    expect(createHash('sha256').update(file.fileContent).digest('hex')).toBe(payout.sha256);
  });

  test('has the next banking day as its date, and the local day and time of the account', async () => {
    const ada = await agent(acme);
    const statement = await storedStatement(acme, ada.id);
    const dates = ['2026-11-28', '2026-12-25', '2027-12-01', '2020-01-02'];
    for (const effectiveDate of dates) {
      const body = { format: 'nacha' as const, statementIds: [statement.id], effectiveDate };
      expect(faultOf(await admin.call(createPayout, { body }))).toMatch(/^400 invalid_input effectiveDate /);
    }
    const { effectiveDate } = await pay([statement.id]);
    expect([1, 2, 3, 4, 5]).toContain(new Date(effectiveDate).getUTCDay());
    expect(Date.parse(effectiveDate)).toBeGreaterThan(clock.now().getTime() - 86_400_000);
  });

  test('of a month lists the statements that it does not pay, with the reasons', async () => {
    const of = await tenant();
    const [ada, bob] = [await agent(of), await agent(of)];
    const missing = await storedStatement(of, 1);
    const other = await storedStatement(of, bob.id, { currency: 'EUR' });
    const [negative, ready] = [
      await storedStatement(of, ada.id, { payable: 0, total: -100, balanceAfter: -100 }),
      await storedStatement(of, ada.id, { state: 'ready' }),
    ];
    const large = await storedStatement(of, ada.id, { payable: 10_000_000_000 });
    const statement = await storedStatement(of, ada.id);
    const body = { format: 'nacha' as const, month: '2026-10' };
    expect(faultOf(await of.admin.call(createPayout, { body }))).toContain('payout_settings_missing');
    await setBank(of);
    const { entries, skipped } = await of.admin.ok(createPayout, { body });
    expect(entries.map(({ statementId }) => statementId)).toEqual([statement.id]);
    expect(skipped).toEqual([
      { statementId: missing.id, reason: 'no_bank_account' },
      { statementId: other.id, reason: 'other_currency' },
      { statementId: negative.id, reason: 'nothing_to_pay' },
      { statementId: ready.id, reason: 'not_approved' },
      { statementId: large.id, reason: 'amount_too_large' },
    ]);
    expect(faultOf(await of.admin.call(createPayout, { body }))).toMatch(
      /^400 payout_empty .*without a payout/,
    );
    expect(faultOf(await of.admin.call(createPayout, { body: { ...body, month: '2026-11' } }))).toBe(
      '400 payout_empty',
    );
  });

  test('of a month with 200 statements is one of three, and each says how many statements are left', async () => {
    const of = await tenant();
    await setBank(of);
    const agents = [await agent(of), await agent(of)];
    for (let n = 0; n < 200; n++) await storedStatement(of, agents[n % 2]?.id ?? 0, { payable: n + 1 });
    const made: Awaited<ReturnType<typeof pay>>[] = [];
    for (let n = 0; n < 3; n++)
      made.push(await of.admin.ok(createPayout, { body: { format: 'nacha', month: '2026-10' } }));
    expect(made.map(({ payments, left }) => [payments, left?.statements])).toEqual([
      [80, 120],
      [80, 40],
      [40, undefined],
    ]);
    expect(made[0]?.left?.message).toBe(
      'A payout pays at most 80 statements. 120 more can be paid: create another payout for the month.',
    );
    expect(new Set(made.flatMap(({ entries }) => entries.map(({ amount }) => amount))).size).toBe(200);
  });

  test('of named statements pays all of them or none', async () => {
    const ada = await agent(acme);
    const [paid, other] = [await storedStatement(acme, ada.id), await storedStatement(acme, ada.id)];
    await pay([paid.id]);
    const body = { format: 'csv' as const, statementIds: [other.id, paid.id, 17] };
    expect(faultOf(await admin.call(createPayout, { body }))).toBe(
      '400 invalid_input statementIds[1] is already paid by a payout statementIds[2] is not a statement of this account',
    );
    expect(await stateOf(other)).toBe('approved');
    const none = { format: 'csv' as const };
    expect(faultOf(await admin.call(createPayout, { body: none }))).toContain('month or statementIds');
  });

  test('as CSV has one row for each payment, and a spreadsheet evaluates no cell of it', async () => {
    const ada = await agent(acme, { holderName: '=HYPERLINK("x") & Co', accountNumber: '0012' });
    const statement = await storedStatement(acme, ada.id, { currency: 'EUR' });
    const payout = await pay([statement.id], 'csv');
    const { fileContent, fileName } = await fileOf(payout);
    expect(fileName).toBe(`payout-${payout.id}.csv`);
    expect(fileContent.startsWith('\ufeff"entry","month","statement"')).toBe(true);
    expect(fileContent.split('\r\n')).toHaveLength(3);
    expect(fileContent).toContain(
      `"1","2026-10","${statement.id}","'=HYPERLINK(""x"") & Co","person","011000015","0012","checking","123.45","EUR"`,
    );
    expect(payout.entries[0]).not.toHaveProperty('trace');
  });

  test('stores and shows no account number in plain text', async () => {
    const number = '550011223344';
    const { payout } = await sentPayment({ accountNumber: number });
    expect(payout.entries[0]).toMatchObject({ accountNumber: 'REDACTED', accountNumberLast4: '3344' });
    expect(JSON.stringify(await admin.ok(readPayout, { params: { id: payout.id } }))).not.toContain(number);
    const { data } = await admin.ok(listPayouts, { query: { state: ['downloaded'] } });
    expect(data.map(({ id }) => id)).toContain(payout.id);
    expect(JSON.stringify(await scanTable())).not.toContain(number);
  });

  test('takes a statement that no concurrent payout takes, and different numbers of files and traces', async () => {
    const ada = await agent(acme);
    const [shared, ...own] = [
      await storedStatement(acme, ada.id),
      await storedStatement(acme, ada.id),
      await storedStatement(acme, ada.id),
      await storedStatement(acme, ada.id),
    ].map(({ id }) => id);
    for (const choices of [[0], [1, 0], [2, 1, 0, 1], [0, 2, 2, 1, 0, 0, 1]]) {
      const responses = await interleave(
        own.map(
          (id) => () =>
            admin.call(createPayout, { body: { format: 'nacha', statementIds: [id, shared ?? 0] } }),
        ),
        byChoice(choices),
      );
      const made = responses.filter(({ status }) => status === 201);
      expect(made).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 400)).toHaveLength(own.length - 1);
      for (const { body } of made)
        await admin.ok(cancelPayout, { params: { id: (body as { id: number }).id } });
    }
    const files = await Promise.all(
      (await Promise.all(own.map((id) => pay([id])))).map(async (payout) => ({
        trace: payout.entries[0]?.trace,
        modifier: (await fileOf(payout)).fileContent[33],
      })),
    );
    expect(new Set(files.map(({ trace }) => trace)).size).toBe(own.length);
    expect(new Set(files.map(({ modifier }) => modifier)).size).toBe(own.length);
  });

  test('that was not downloaded can be cancelled, and its statements can be paid again', async () => {
    const ada = await agent(acme);
    const statement = await storedStatement(acme, ada.id);
    const params = { id: (await pay([statement.id])).id };
    expect(await stateOf(statement)).toBe('paid');
    const cancelled = await admin.ok(cancelPayout, { params });
    expect(cancelled.state).toBe('cancelled');
    expect(await admin.ok(cancelPayout, { params })).toEqual(cancelled);
    expect(await stateOf(statement)).toBe('approved');
    expect(faultOf(await admin.call(downloadPayout, { params }))).toBe('400 payout_cancelled');
    const again = await pay([statement.id]);
    await fileOf(again);
    const second = await admin.call(cancelPayout, { params: { id: again.id } });
    expect(faultOf(second)).toBe('400 payout_not_cancellable');
  });
});

describe('the cancellation of a payout whose runs were reversed', () => {
  test.each([
    [77, 'cancelled'],
    [78, 'payout_not_cancellable The runs of too many statements'],
  ])('with %i statements of three agents ends with: %s', async (count, outcome) => {
    const agents = [await agent(acme), await agent(acme), await agent(acme)];
    const ids: number[] = [];
    for (let n = 0; n < count; n++)
      ids.push((await storedStatement(acme, agents[n % 3]?.id ?? 0, { reversalId: 5, payable: n + 1 })).id);
    const { id } = await pay(ids, 'csv');
    const { body } = await admin.call(cancelPayout, { params: { id } });
    const { state, error, message } = body as { state?: string; error?: string; message?: string };
    expect(state ?? `${error} ${message}`).toContain(outcome);
    const balances = await readBalances(
      acme.accountId,
      agents.map((one) => accountOf(one.id)),
    );
    const sum = [...balances.values()].reduce((all, { balance }) => all + balance, 0);
    expect(sum).toBe(state === 'cancelled' ? (count * (count + 1)) / 2 : 0);
  });
});

describe('the result of a payment', () => {
  test('by hand reopens the statement once, until another payout pays it', async () => {
    const { statement, payout } = await sentPayment();
    const params = { id: payout.id, n: 1 };
    const record = (body: { result: 'paid' | 'returned'; code?: string; note?: string }) =>
      admin.call(recordPaymentResult, { params, body });
    const first = await record({ result: 'returned', code: 'R02', note: 'Closed' });
    expect(first.body).toMatchObject({ returned: 1, returnedTotal: 123_45, entries: [{ code: 'R02' }] });
    expect(await stateOf(statement)).toBe('returned');
    expect((await record({ result: 'returned', code: 'R02', note: 'Closed' })).body).toEqual(first.body);
    expect((await record({ result: 'paid' })).body).toMatchObject({ returned: 0, returnedTotal: 0 });
    expect(await stateOf(statement)).toBe('paid');
    await record({ result: 'returned' });
    await pay([statement.id]);
    expect(faultOf(await record({ result: 'paid' }))).toBe('400 statement_paid_again');
    expect((await record({ result: 'returned', code: 'R03' })).body).toMatchObject({ returned: 1 });
    expect(await stateOf(statement)).toBe('paid');
  });

  test('needs a payout that was downloaded, and one of its payments', async () => {
    const ada = await agent(acme);
    const { id } = await pay([(await storedStatement(acme, ada.id)).id]);
    const body = { result: 'paid' as const };
    expect(faultOf(await admin.call(recordPaymentResult, { params: { id, n: 1 }, body }))).toBe(
      '400 payout_not_sent',
    );
    expect((await admin.call(recordPaymentResult, { params: { id, n: 2 }, body })).status).toBe(404);
  });
});

describe('a file of returns', () => {
  test('reopens the balance of a returned payment once, and changes nothing the second time', async () => {
    const { statement, payout, entry, trace } = await sentPayment();
    const reports = [{ code: 'R01', trace, amount: entry.amount, note: 'NO FUNDS' }];
    expect(await send(reports)).toMatchObject({
      ...{ returned: 1, changed: 0, repeated: 0, unresolved: 0 },
      records: [{ line: 4, outcome: 'returned', payoutId: payout.id, n: 1, statementId: statement.id }],
    });
    expect(await stateOf(statement)).toBe('returned');
    const before = await storedRecords();
    expect(await send(reports)).toMatchObject({ returned: 0, repeated: 1 });
    expect(await storedRecords()).toEqual(before);
    const again = await pay([statement.id]);
    await fileOf(again);
    expect(await send(reports)).toMatchObject({ repeated: 1 });
    expect(await stateOf(statement)).toBe('paid');
    const last = await admin.ok(readPayout, { params: { id: payout.id } });
    expect(last.entries[0]).toMatchObject({ result: 'returned', code: 'R01', note: 'NO FUNDS' });
  });

  test('corrects the payout account for the next payment, and never undoes the change of a person', async () => {
    const { ada, entry, trace, payout } = await sentPayment();
    const params = { id: accountOf(ada.id) };
    const reports = [
      { code: 'C05', trace, corrected: '32' },
      { code: 'C03', trace, corrected: '021000021   0099887766' },
    ];
    expect(await send(reports)).toMatchObject({ changed: 2, unresolved: 0 });
    expect(await accountNumberOf(ada.id)).toMatchObject({
      ...{ version: 2, accountType: 'savings', routingNumber: '021000021', accountNumber: '0099887766' },
    });
    expect(await send(reports)).toMatchObject({ changed: 0, repeated: 2 });
    await admin.ok(savePayoutAccount, { params, body: { ...bank, accountNumber: '4444' } });
    expect(await send(reports)).toMatchObject({ changed: 0, repeated: 2 });
    expect(await send([{ code: 'C01', trace, corrected: '5555' }])).toMatchObject({
      records: [{ outcome: 'not_applied', reason: 'The payout account was changed since the payment.' }],
    });
    expect(await accountNumberOf(ada.id)).toMatchObject({ accountNumber: '4444' });
    const { entries } = await admin.ok(readPayout, { params: { id: payout.id } });
    expect(entries[0]).toMatchObject({ result: 'open', changes: ['C05', 'C03'], trace: entry.trace });
  });

  test('reports every record that it does not apply', async () => {
    const { statement, trace, entry } = await sentPayment();
    const { records, unresolved } = await send([
      { code: 'R01', trace, amount: entry.amount + 1 },
      { code: 'R01', trace: '9'.repeat(15), amount: 1 },
      { code: 'R01', trace: '0'.repeat(15), amount: 1 },
      { code: 'R69', trace, amount: entry.amount },
      { code: 'C09', trace, corrected: 'A-17' },
    ]);
    expect(unresolved).toBe(5);
    expect(records.map(({ outcome }) => outcome)).toEqual([
      'not_applied',
      'unknown_entry',
      'unknown_entry',
      'not_applied',
      'not_applied',
    ]);
    expect(await stateOf(statement)).toBe('paid');
  });

  test('reports a disputed return also after the return itself was recorded', async () => {
    const { trace, entry } = await sentPayment();
    await send([{ code: 'R03', trace, amount: entry.amount }]);
    expect(await send([{ code: 'R74', trace, amount: entry.amount }])).toMatchObject({
      ...{ repeated: 0, unresolved: 1 },
      records: [{ outcome: 'not_applied', reason: 'The code belongs to a disputed return.' }],
    });
  });

  test('about a payout that was not downloaded changes nothing, not even a bank account', async () => {
    const ada = await agent(acme);
    const { entries } = await pay([(await storedStatement(acme, ada.id)).id]);
    const { trace = '', amount } = entries[0] ?? {};
    const before = await storedRecords();
    const { records } = await send([
      { code: 'R01', trace, amount },
      { code: 'C05', trace, corrected: '32' },
    ]);
    expect(records.map(({ outcome }) => outcome)).toEqual(['not_applied', 'not_applied']);
    expect(await storedRecords()).toEqual(before);
  });

  test('with an error in a line changes nothing, and the error names the line', async () => {
    const { statement, trace, entry } = await sentPayment();
    const file = writeReturnFile([{ code: 'R01', trace, amount: entry.amount }]).replace('8220', '8221');
    const cut = file.split('\r\n').slice(0, 5).join('\n');
    expect(faultOf(await admin.call(importReturns, { body: { fileContent: cut } }))).toMatch(
      /^400 invalid_input fileContent line 5: must be the control record/,
    );
    expect(await stateOf(statement)).toBe('paid');
  });

  test('with many payouts is imported by concurrent requests, and each return counts once', async () => {
    const of = await tenant();
    await setBank(of);
    const reports: BankReport[] = [];
    const statements: StoredStatement[] = [];
    for (let batch = 0; batch < 3; batch++) {
      const ada = await agent(of);
      const made = [await storedStatement(of, ada.id), await storedStatement(of, ada.id)];
      statements.push(...made);
      const body = { format: 'nacha' as const, statementIds: made.map(({ id }) => id) };
      const { id, entries } = await of.admin.ok(createPayout, { body });
      await of.admin.ok(downloadPayout, { params: { id } });
      reports.push(...entries.map(({ trace = '', amount }) => ({ code: 'R03', trace, amount })));
    }
    const results = await Promise.all([send(reports, of), send(reports, of), send(reports, of)]);
    expect(results.map(({ unresolved }) => unresolved)).toEqual([0, 0, 0]);
    expect(results.reduce((sum, { returned }) => sum + returned, 0)).toBe(reports.length);
    expect(new Set(await Promise.all(statements.map(stateOf)))).toEqual(new Set(['returned']));
    const events = (await happenings(of)).filter(({ happening }) => happening === 'payout_returned');
    expect(events).toHaveLength(3);
    expect(events[0]?.detail).toMatchObject({ returned: 2, returnedTotal: 246_90, codes: 'R03' });
  });
});
