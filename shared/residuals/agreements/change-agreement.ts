import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { merchants } from '../../sales/merchants/store.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { newRecord } from '../../table/record-fields.ts';
import { type Authored, type Revision, revise, sameValue } from '../../table/revise.ts';
import { checkAgainstOthers, checkTerms, namedFields } from './check-terms.ts';
import { nameBeneficiaries } from './name-beneficiaries.ts';
import {
  type AgreementInput,
  type AgreementPatch,
  type AgreementTerms,
  type AgreementVersion,
  mostVersions,
} from './schema.ts';
import { type AllAgreements, residualAgreements, type StoredAgreement } from './store.ts';

interface AgreementRequest extends Authored {
  account: AccountId;
}

type Named = Awaited<ReturnType<typeof nameBeneficiaries>>;

/** The records that a new agreement needs. Throws `beneficiary_unknown` and `merchant_unknown`. */
export async function readForNew(
  account: AccountId,
  { beneficiary, overrides, scope }: AgreementInput,
): Promise<AllAgreements & { names: Named }> {
  const [all, names] = await inParallel([
    residualAgreements.all(account),
    nameBeneficiaries(account, namedFields({ beneficiary, overrides })),
    requireMerchant(account, scope?.merchantId),
  ]);
  return { ...all, names };
}

async function requireMerchant(account: AccountId, id: number | undefined): Promise<void> {
  if (id !== undefined && !(await merchants.find(account, id))) throw new ApiError('merchant_unknown');
}

const versionOf = (
  terms: AgreementTerms,
  version: number,
  { principal, now }: Authored,
): AgreementVersion => ({
  version,
  ...terms,
  createdAt: now.toISOString(),
  createdBy: principal.actor.user,
});

/** Returns a new agreement. Throws `invalid_input`, `agreement_conflict` and `agreement_cycle`. */
export function newAgreement(
  request: AgreementRequest,
  { beneficiary, scope = {}, ...terms }: AgreementInput,
  { agreements, names }: AllAgreements & { names: Named },
): StoredAgreement {
  checkTerms(scope, terms);
  const agreement = {
    ...newRecord(request),
    ...{ beneficiary, scope, names, versions: [versionOf(terms, 1, request)] },
  };
  checkAgainstOthers(agreement, agreements);
  return agreement;
}

/** The terms of an agreement after a PATCH. */
function patchedTerms(before: StoredAgreement, patch: AgreementPatch): AgreementTerms {
  const { version, createdAt, createdBy, ...terms } = before.versions.at(-1) ?? ({} as AgreementVersion);
  const entries = Object.entries({ ...terms, ...patch }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(entries) as AgreementTerms;
}

/** What a PATCH of an agreement needs. Throws `not_found` and `beneficiary_unknown`. */
export async function readForNextVersion(
  account: AccountId,
  id: number,
  { overrides }: AgreementPatch,
): Promise<AllAgreements & { before: StoredAgreement; names: Named }> {
  const [before, all] = await inParallel([
    residualAgreements.get(account, id),
    residualAgreements.all(account),
  ]);
  // Beneficiaries who have left keep their names in agreements that change otherwise.
  const fields = namedFields({ beneficiary: before.beneficiary, overrides: overrides ?? undefined });
  const added = [...fields].filter(([, { type, id: own }]) => !(`${type}:${own}` in before.names));
  return { before, ...all, names: await nameBeneficiaries(account, new Map(added)) };
}

/**
 * Returns an agreement with the patched terms as a new version. Earlier versions never change. Returns the same object if
 * no term differs. Throws the errors of `newAgreement`, and `quota_exceeded` after 100 versions.
 */
export function patchAgreement(
  request: Authored,
  patch: AgreementPatch,
  { before, agreements, names }: AllAgreements & { before: StoredAgreement; names: Named },
): StoredAgreement {
  const terms = patchedTerms(before, patch);
  const { version: _, createdAt, createdBy, ...present } = before.versions.at(-1) ?? ({} as AgreementVersion);
  if (sameValue(terms, present)) return before;
  checkTerms(before.scope, terms);
  if (before.versions.length >= mostVersions)
    throw new ApiError('quota_exceeded', {
      message: `An agreement can have at most ${mostVersions} versions.`,
    });
  const versions = [...before.versions, versionOf(terms, before.version + 1, request)];
  const revision: Revision<StoredAgreement> = { versions, names: { ...before.names, ...names } };
  const after = revise(before, revision, request);
  checkAgainstOthers(after, agreements);
  return after;
}
