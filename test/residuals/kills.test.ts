import fc from 'fast-check';
import { expect, test } from 'vitest';
import createResidualAdjustment from '../../functions/residual-adjustments/create-adjustment.ts';
import approveResidualRun from '../../functions/residual-runs/approve-residual-run.ts';
import createResidualRun from '../../functions/residual-runs/create-residual-run.ts';
import postResidualRun from '../../functions/residual-runs/post-residual-run.ts';
import readResidualRun from '../../functions/residual-runs/read-residual-run.ts';
import reverseResidualRun from '../../functions/residual-runs/reverse-residual-run.ts';
import listResidualStatementLines from '../../functions/residual-statements/list-statement-lines.ts';
import { drain } from '../harness/drain.ts';
import { residualKills } from '../harness/heavy.ts';
import { countCalls, killAt, type Moment } from '../harness/kill.ts';
import { member } from '../harness/member.ts';
import { recover } from '../harness/pass-time.ts';
import { storedHappenings } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { agree, statementsOf, userOf } from './posted.ts';
import { storedFile, units } from './stored-files.ts';

const acme = await tenant();
const agents = [await member(acme), await member(acme), await member(acme)];
for (const [n, agent] of agents.entries()) {
  const overrides =
    n > 0 ? [] : agents.slice(1).map((one) => ({ beneficiary: userOf(one), basisPoints: 777 }));
  await agree(acme.key, { beneficiary: userOf(agent), scope: { mid: `100${n}` }, overrides });
}

let months = 0;
/** A month of its own for each run. */
const nextMonth = () =>
  `20${String(30 + Math.floor(months / 12))}-${String((months++ % 12) + 1).padStart(2, '0')}`;

/** A point in the calls of a job: a number of thousandths of them. */
interface Point {
  at: number;
  moment: Moment;
}

/** The function that runs the jobs. */
const consumer = 'events-residuals';
/** The number of calls of each job without a kill. */
const calls: number[] = [];

/** Runs a job with a kill at a point. Without points, counts its calls. */
async function withKill(phase: number, points: readonly Point[] | undefined, start: () => Promise<unknown>) {
  await start();
  const point = points?.[phase];
  if (!point) {
    calls[phase] = await countCalls(drain, consumer);
    return;
  }
  const n = 1 + Math.floor((point.at * (calls[phase] ?? 0)) / 1_000);
  expect(await killAt(n, point.moment, drain, consumer), `killed at call ${n} of ${calls[phase]}`).toBe(true);
  await recover();
}

/** What the statements of a month say, without what differs between months. */
async function resultOf({ key }: Tenant, month: string) {
  const statements = (await statementsOf(key)).filter((one) => one.month === month);
  const shown = await Promise.all(
    statements.map(async ({ id, kind, beneficiary, total, lineCount, linesSha256 }) => ({
      ...{ kind, beneficiary, total, lineCount },
      lines: (await key.ok(listResidualStatementLines, { params: { id } })).data,
      linesSha256,
    })),
  );
  return shown.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** Calculates, posts and reverses a run of a month, each with a kill. Returns all statements of the month. */
async function lifeOf(kills?: readonly Point[]) {
  const month = nextMonth();
  const rows = [0, 1, 2, 0].map((n, row) => ({ mid: `100${n}`, net: units(33.33 + row) }));
  await storedFile({ account: acme.accountId, month, rows });
  const [agent] = agents;
  if (agent)
    await acme.key.ok(createResidualAdjustment, {
      body: { kind: 'bonus', month, beneficiary: userOf(agent), amount: units(1) },
    });
  let id = 0;
  await withKill(0, kills, async () => {
    id = (await acme.key.ok(createResidualRun, { body: { month } })).id;
  });
  const params = { id };
  await acme.key.ok(approveResidualRun, { params });
  await withKill(1, kills, () => acme.key.ok(postResidualRun, { params }));
  const posted = await acme.key.ok(readResidualRun, { params });
  await withKill(2, kills, () => acme.key.ok(reverseResidualRun, { params }));
  const reversed = await acme.key.ok(readResidualRun, { params });
  expect([posted.state, reversed.state]).toEqual(['posted', 'reversed']);
  const events = (await storedHappenings(acme.accountId)).filter(
    ({ happening, detail }) => detail.month === month && happening !== 'residual_adjustment_created',
  );
  return { statements: await resultOf(acme, month), events: events.length };
}

const point: fc.Arbitrary<Point> = fc.record({ at: fc.nat(999), moment: fc.constantFrom('before', 'after') });

test('after kills at random points of calculation, posting and reversal, no line is missing or doubled', async () => {
  const expected = await lifeOf();
  expect(expected.statements).toHaveLength(6);
  await fc.assert(
    fc.asyncProperty(fc.tuple(point, point, point), async (kills) => {
      expect(await lifeOf(kills)).toEqual(expected);
    }),
    // Each life has three kills.
    { numRuns: Math.ceil(residualKills / 3), endOnFailure: true },
  );
}, 600_000);
