import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { Authored } from '../../table/revise.ts';
import { namesIn } from '../adjustments/named-beneficiaries.ts';
import {
  newAgreement,
  patchAgreement,
  readForNew,
  readForNextVersion,
} from '../agreements/change-agreement.ts';
import type { AgreementPatch, Rehearsal, RehearsalInput } from '../agreements/schema.ts';
import type { StoredAgreement } from '../agreements/store.ts';
import { beneficiaryIn } from '../amounts/beneficiary.ts';
import { addMicros } from '../amounts/micros.ts';
import { residualFiles } from '../files/store.ts';
import { calculate } from './calculate.ts';
import { readCalculatedRows, readSource } from './calculate-run.ts';
import type { CalculatedRow, Calculation } from './calculation.ts';

/** The most rows of all months of a rehearsal. */
const mostRows = 100_000;

interface RehearsalRequest extends Authored {
  account: AccountId;
  deadline: number;
}

/**
 * Calculates what each beneficiary would have received in past months with a changed agreement, and what they receive with
 * the present ones, from the latest files. Nothing is stored. Throws the errors of an agreement, and `rehearsal_too_long`.
 */
export async function rehearse(
  request: RehearsalRequest,
  { agreement: { id, ...input }, months }: RehearsalInput,
): Promise<Rehearsal> {
  const { account } = request;
  const source = await readSource(account);
  const changed = await changedAgreement(request, id, input);
  const agreements = [...source.agreements.filter((one) => one.id !== changed.id), changed];
  const names = namesIn({ ...source, agreements });
  const results: Rehearsal['months'] = [];
  let rows = 0;
  for (const month of [...months].sort()) {
    const files = await residualFiles.latestOf(account, month);
    let all: CalculatedRow[] = [];
    for (const file of files) {
      all = all.concat(await readCalculatedRows(account, file, agreements));
      if (rows + all.length > mostRows || Date.now() >= request.deadline)
        throw new ApiError('rehearsal_too_long');
    }
    rows += all.length;
    const { transfers } = source;
    const before = calculate({ month, rows: all, agreements: source.agreements, transfers });
    const after = calculate({ month, rows: all, agreements, transfers });
    results.push({ month, rows: all.length, ...compared(before, after, names) });
  }
  return { months: results };
}

/** Like `changed`. The fields in errors begin with `agreement`, as in the request. */
async function changedAgreement(...args: Parameters<typeof changed>): Promise<StoredAgreement> {
  try {
    return await changed(...args);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error;
    const details = error.details.map(({ field, message }) => ({ field: `agreement.${field}`, message }));
    throw new ApiError(error.code, { message: error.message, details });
  }
}

async function changed(
  request: RehearsalRequest,
  id: number | undefined,
  input: RehearsalInput['agreement'],
): Promise<StoredAgreement> {
  if (id === undefined) return newAgreement(request, input, await readForNew(request.account, input));
  const { beneficiary, scope, id: _, ...terms } = input;
  const patch: AgreementPatch = { ...cleared, ...terms };
  return patchAgreement(request, patch, await readForNextVersion(request.account, id, patch));
}

/** The terms that a rehearsed agreement does not have, although the present one may. */
const cleared = {
  costs: null,
  minimum: null,
  cap: null,
  tiers: null,
  overrides: [],
  validTo: null,
  shareAfterEnd: null,
};

function compared(
  before: Calculation,
  after: Calculation,
  names: Readonly<Record<string, string>>,
): Pick<Rehearsal['months'][number], 'beneficiaries' | 'house'> {
  const keys = [...new Set([...before.byBeneficiary.keys(), ...after.byBeneficiary.keys()])].sort();
  const beneficiaries = keys.map((key) => ({
    beneficiary: beneficiaryIn(key),
    ...(names[key] !== undefined && { name: names[key] }),
    ...both(before.byBeneficiary.get(key) ?? 0, after.byBeneficiary.get(key) ?? 0),
  }));
  return {
    beneficiaries: beneficiaries.filter(({ difference }) => difference !== 0),
    house: both(before.house, after.house),
  };
}

const both = (before: number, after: number) => ({ before, after, difference: addMicros(after, -before) });
