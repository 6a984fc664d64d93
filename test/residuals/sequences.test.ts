import fc from 'fast-check';
import { expect, test } from 'vitest';
import cancelPayout from '../../functions/residual-payouts/cancel-payout.ts';
import createPayout from '../../functions/residual-payouts/create-payout.ts';
import downloadPayout from '../../functions/residual-payouts/download-payout.ts';
import importReturns from '../../functions/residual-payouts/import-returns.ts';
import listPayouts from '../../functions/residual-payouts/list-payouts.ts';
import readPayout from '../../functions/residual-payouts/read-payout.ts';
import recordPaymentResult from '../../functions/residual-payouts/record-payment-result.ts';
import listResidualRuns from '../../functions/residual-runs/list-residual-runs.ts';
import reverseResidualRun from '../../functions/residual-runs/reverse-residual-run.ts';
import approveResidualStatements from '../../functions/residual-statements/approve-statements.ts';
import { canonicalJson } from '../../shared/events/canonical.ts';
import type { Payout } from '../../shared/residuals/payouts/schema.ts';
import { readBalances } from '../../shared/residuals/runs/month-sums.ts';
import { documentOf } from '../../shared/residuals/statements/new-statement.ts';
import { residualStatements } from '../../shared/residuals/statements/store.ts';
import { statementLines } from '../../shared/residuals/statements/stored-lines.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { residualSequences } from '../harness/heavy.ts';
import { provesAgain } from '../harness/member.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { writeReturnFile } from './nacha/ach-files.ts';
import { accountOf, agent, setBank } from './payouts/world.ts';
import { agree, posted, statementsOf } from './posted.ts';
import { storedFile, units } from './stored-files.ts';

/** The states of statements that are not paid. */
const unpaid = ['ready', 'approved', 'returned'];
const months = ['2026-10', '2026-11'];

/** A step of a sequence. Numbers select a month, an amount, a payout and a payment. */
const step = fc.record({
  act: fc.oneof(
    { arbitrary: fc.constantFrom('post' as const, 'reverse' as const), weight: 3 },
    { arbitrary: fc.constant('pay' as const), weight: 3 },
    { arbitrary: fc.constantFrom('download' as const, 'return' as const), weight: 2 },
    { arbitrary: fc.constantFrom('cancel' as const, 'record' as const), weight: 1 },
  ),
  n: fc.nat(11),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two agents, of whom one is above the other. */
async function company() {
  const acme = await tenant();
  await setBank(acme);
  const [own, lead] = [await agent(acme), await agent(acme)];
  const overrides = [{ beneficiary: { type: 'user' as const, id: String(lead.id) }, basisPoints: 1_000 }];
  await agree(acme.admin, { beneficiary: { type: 'user', id: String(own.id) }, overrides });
  return acme;
}

const payoutsOf = async ({ admin }: Tenant): Promise<Payout[]> => {
  const { data } = await admin.ok(listPayouts, { query: { pageSize: 100 } });
  return Promise.all(data.map(({ id }) => admin.ok(readPayout, { params: { id } })));
};

/** Runs a step. A step that is refused changes nothing. */
async function take(acme: Tenant, { act, n }: Step): Promise<void> {
  const { admin, accountId: account } = acme;
  const month = months[n % 2] ?? '';
  const all = await payoutsOf(acme);
  const payout = all[n % Math.max(1, all.length)];
  const entry = payout?.entries[n % 2] ?? payout?.entries[0];
  const params = { id: payout?.id ?? 0 };
  if (act === 'post') {
    await storedFile({ account, month, rows: [{ mid: '1001', net: units(33.33 * (n - 3)) }] });
    await posted(admin, month);
  } else if (act === 'reverse') {
    const { data } = await admin.ok(listResidualRuns, { query: { state: 'posted', pageSize: 100 } });
    const last = data.find((run) => run.month === month);
    if (last) await admin.call(reverseResidualRun, { params: { id: last.id } });
    await drain();
  } else if (act === 'pay') {
    const ready = (await statementsOf(admin)).filter(({ state }) => state === 'ready').map(({ id }) => id);
    if (ready.length > 0) await admin.ok(approveResidualStatements, { body: { statementIds: ready } });
    await admin.call(createPayout, { body: { format: 'nacha', month } });
  } else if (act === 'download') await admin.call(downloadPayout, { params });
  else if (act === 'cancel') await admin.call(cancelPayout, { params });
  else if (act === 'record')
    await admin.call(recordPaymentResult, {
      params: { ...params, n: entry?.n ?? 1 },
      body: { result: n < 6 ? 'paid' : 'returned' },
    });
  else if (entry?.trace) {
    const fileContent = writeReturnFile([{ code: 'R01', trace: entry.trace, amount: entry.amount }]);
    await admin.ok(importReturns, { body: { fileContent } });
  }
}

/** The bytes of all statements and of their lines, by their id. */
async function bytesOf({ accountId, admin }: Tenant): Promise<Map<number, string>> {
  const bytes = new Map<number, string>();
  for (const { id } of await statementsOf(admin)) {
    const statement = await residualStatements.get(accountId, id);
    const lines = await statementLines.all(statement);
    bytes.set(id, canonicalJson([documentOf(statement), statement.sha256, lines]));
  }
  return bytes;
}

/** The statements of reversed runs that a payout could pay. */
async function payableAfterReversal({ admin }: Tenant): Promise<number[]> {
  const { data } = await admin.ok(listResidualRuns, { query: { state: 'reversed', pageSize: 100 } });
  const reversed = new Set(data.map(({ id }) => id));
  return (await statementsOf(admin)).flatMap(({ id, runId, kind, state, payable }) =>
    reversed.has(runId) && kind === 'posting' && payable > 0 && unpaid.includes(state) ? id : [],
  );
}

/** For each beneficiary: the paid and payable amounts and the balance, minus the totals of all statements. */
async function surplusOf(acme: Tenant): Promise<Map<string, number>> {
  const surplus = new Map<string, number>();
  const add = (id: string, amount: number) => surplus.set(id, (surplus.get(id) ?? 0) + amount);
  for (const { beneficiary, state, payable, total } of await statementsOf(acme.admin))
    add(beneficiary.id, (unpaid.includes(state) ? payable : 0) - total);
  for (const { state, entries } of await payoutsOf(acme))
    for (const { beneficiary, amount, result } of entries)
      if (state !== 'cancelled' && result !== 'returned') add(beneficiary.id, amount);
  for (const id of surplus.keys()) {
    const name = accountOf(Number(id));
    add(id, (await readBalances(acme.accountId, [name])).get(name)?.balance ?? 0);
  }
  return surplus;
}

/** The payment of a statement that is in no file, and one that the bank returns after the reversal and a new posting. */
const known: [Step[]][] = [
  [
    [
      { act: 'post', n: 6 },
      { act: 'pay', n: 0 },
      { act: 'reverse', n: 0 },
      { act: 'cancel', n: 0 },
    ],
  ],
  [
    [
      { act: 'post', n: 6 },
      { act: 'pay', n: 0 },
      { act: 'download', n: 0 },
      { act: 'reverse', n: 0 },
      { act: 'post', n: 6 },
      { act: 'return', n: 0 },
      { act: 'post', n: 7 },
      { act: 'pay', n: 1 },
    ],
  ],
];

test('whatever happens, statements keep their bytes, reversed runs pay nothing, and payments and balances are together the totals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      clock.reset();
      const acme = await company();
      let before = new Map<number, string>();
      for (const one of steps) {
        await provesAgain(acme.admin);
        await take(acme, one);
        const after = await bytesOf(acme);
        for (const [id, bytes] of before) expect(after.get(id)).toBe(bytes);
        before = after;
        expect(await payableAfterReversal(acme)).toEqual([]);
        for (const [id, amount] of await surplusOf(acme)) expect([id, amount]).toEqual([id, 0]);
      }
    }),
    { numRuns: residualSequences, examples: known, endOnFailure: true },
  );
}, 600_000);
