import type { Caller } from './caller.ts';

interface NamedBeneficiary {
  type: 'user' | 'account';
  id: string;
}

/** An active user as a beneficiary of residuals. */
async function someBeneficiary(caller: Caller): Promise<NamedBeneficiary> {
  const params = { email: await caller.somebody() };
  const { id } = await caller.send<{ id: number }>('GET /users/{email}', { params });
  return { type: 'user', id: String(id) };
}

/** The body of an agreement about a MID that no other agreement names. */
export const agreementBody = async (caller: Caller) => ({
  beneficiary: await someBeneficiary(caller),
  scope: { mid: `4445012${caller.unique()}` },
  share: { basisPoints: 5_000, of: 'net' },
  validFrom: '2026-01',
});

/** The body of a bonus in a month without other adjustments. */
export const newBonus = async (caller: Caller, beneficiary?: NamedBeneficiary) => ({
  kind: 'bonus',
  beneficiary: beneficiary ?? (await someBeneficiary(caller)),
  month: newMonth(caller),
  amount: 250_000_000,
});

/** Returns a month that no other scene uses. */
export function newMonth(caller: Caller): string {
  const number = caller.unique() % 900;
  return `20${String(25 + Math.floor(number / 12)).slice(-2)}-${String((number % 12) + 1).padStart(2, '0')}`;
}

/** The longest wait for a job of a run, in milliseconds. A job waits a minute after its first failure. */
const longestWait = 90_000;

/** Waits until a run has a state. */
export async function reachState(caller: Caller, id: number, wanted: string): Promise<void> {
  const params = { id };
  for (const deadline = Date.now() + longestWait; ; await caller.afterJobs()) {
    const { state } = await caller.send<{ state: string }>('GET /residual-runs/{id}', { params });
    if (state === wanted) return;
    if (Date.now() > deadline) throw new Error(`The run ${id} has the state ${state}, not ${wanted}.`);
  }
}

/** Creates a run with a bonus and a fee, and waits for its preview. */
export async function previewedRun(
  caller: Caller,
  beneficiary?: NamedBeneficiary,
): Promise<{ id: number; month: string }> {
  const body = await newBonus(caller, beneficiary);
  await caller.send('POST /residual-adjustments', { body: { ...body, mid: '4445012345678' } });
  const fee = { kind: 'fee', amount: 10_000_000, mid: '4445012345679' };
  await caller.send('POST /residual-adjustments', { body: { ...body, ...fee } });
  const { month } = body;
  const { id } = await caller.send<{ id: number }>('POST /residual-runs', { body: { month } });
  await reachState(caller, id, 'preview');
  return { id, month };
}

/** Approves and posts a run. */
export async function postRun(caller: Caller, id: number): Promise<void> {
  const params = { id };
  await caller.send('POST /residual-runs/{id}/approve', { params });
  await caller.send('POST /residual-runs/{id}/post', { params });
  await reachState(caller, id, 'posted');
}

/** Posts a run with a bonus and a fee. Returns the id of its statement. */
export async function postedStatement(caller: Caller, beneficiary?: NamedBeneficiary): Promise<number> {
  const { id } = await previewedRun(caller, beneficiary);
  await postRun(caller, id);
  const query = { runId: id };
  const { data } = await caller.send<{ data: { id: number }[] }>('GET /residual-statements', { query });
  return data[0]?.id ?? 0;
}
