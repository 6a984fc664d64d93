import { ApiError, type FieldError } from '../../../errors.ts';
import type { AccountId } from '../../../id/account-id.ts';
import { dayIn } from '../../../instant.ts';
import { ownershipFrom } from '../../../people/ownership/new-ownership.ts';
import { type Authored, revise } from '../../../table/revise.ts';
import { type MerchantChangeRequest, newMerchant } from '../../merchants/new-merchant.ts';
import type { StoredMerchant } from '../../merchants/stored-merchant.ts';
import { isDocumentKey } from '../completeness/required-items.ts';
import { decryptApplication } from '../record/encrypt-application.ts';
import { ownerFields, type SectionName, sectionFields, sectionNames } from '../record/fields.ts';
import type { ApplicationAdmin, AppStatus, InfoRequest } from '../record/schema.ts';
import type { StoredApplication } from '../record/stored-application.ts';
import type { DecisionInput, OwnerName } from '../underwriting/underwriting-schema.ts';
import { mapToMerchant } from './map-to-merchant.ts';

/** The status after a decision. `info_requested` returns the application to the merchant. */
const statusAfter = {
  approved: 'approved',
  rejected: 'rejected',
  info_requested: 'pending',
} as const satisfies Record<DecisionInput['decision'], AppStatus>;

/**
 * Applies an underwriter's decision. Throws `application_not_submitted` unless the application is submitted, and
 * `invalid_input` if the reason is missing, or an item of `requested` or `ownerNames` is not allowed.
 */
export function decideApplication(
  application: StoredApplication,
  { decision, reason, requested = [], ownerNames = [] }: DecisionInput,
  request: Authored,
): StoredApplication {
  if (application.status !== 'submitted') throw new ApiError('application_not_submitted');
  const details = [
    ...(decision === 'approved' || reason?.trim() ? [] : [missingReason]),
    ...(decision === 'info_requested' || requested.length === 0 ? [] : [onlyWithRequest]),
    ...requested.flatMap((item, index) => faultsOf(application, item, `requested[${index}]`)),
    ...(decision === 'approved' || ownerNames.length === 0 ? [] : [onlyWithApproval]),
    ...ownerNames.flatMap(({ uniqueId }, index) => faultsOfOwner(application, ownerNames, uniqueId, index)),
  ];
  if (details.length > 0) throw new ApiError('invalid_input', { details });
  const { principal, now } = request;
  const made = {
    decision,
    ...(reason && { reason }),
    decidedBy: principal.actor.user,
    decidedAt: now.toISOString(),
  };
  const isReturned = decision === 'info_requested';
  return revise(
    application,
    {
      status: statusAfter[decision],
      ...(isReturned ? { submittedBy: null, submittedAt: null } : { decidedAt: made.decidedAt }),
      admin: withRequests({ ...application.admin, decision: made }, isReturned ? requested : undefined),
    },
    request,
  );
}

const missingReason: FieldError = { field: 'reason', message: 'is required unless the decision is approved' };
const onlyWithApproval: FieldError = {
  field: 'ownerNames',
  message: 'is allowed only with the decision approved',
};
const onlyWithRequest: FieldError = {
  field: 'requested',
  message: 'is allowed only with the decision info_requested',
};

/**
 * Adds new requests to the open requests. A new request replaces an open request for the same field or document. A
 * final decision removes the open requests.
 */
function withRequests(
  { infoRequested = [], ...admin }: ApplicationAdmin,
  requested: readonly InfoRequest[] | undefined,
): ApplicationAdmin {
  if (!requested) {
    const answered = infoRequested.filter((item) => item.answered);
    return answered.length > 0 ? { ...admin, infoRequested: answered } : admin;
  }
  const open = infoRequested.filter(
    (item) => !item.answered && !requested.some((newer) => targetOf(newer) === targetOf(item)),
  );
  const all = [...open, ...requested];
  return all.length > 0 ? { ...admin, infoRequested: all } : admin;
}

const targetOf = ({ field, documentKey }: InfoRequest): string => field ?? documentKey ?? '';

function faultsOf(
  application: StoredApplication,
  { field, documentKey }: InfoRequest,
  name: string,
): FieldError[] {
  if ((field === undefined) === (documentKey === undefined))
    return [{ field: name, message: 'must have either field or documentKey' }];
  if (field !== undefined && !isAskable(application, field))
    return [{ field: `${name}.field`, message: 'is not a field of this application' }];
  if (documentKey !== undefined && !isDocumentKey(application, documentKey))
    return [{ field: `${name}.documentKey`, message: 'is not a document of this application' }];
  return [];
}

function faultsOfOwner(
  { businessOwners }: Pick<StoredApplication, 'businessOwners'>,
  ownerNames: readonly OwnerName[],
  uniqueId: string,
  index: number,
): FieldError[] {
  const field = `ownerNames[${index}].uniqueId`;
  if (!businessOwners.some((owner) => owner.uniqueId === uniqueId))
    return [{ field, message: 'is not an owner of this application' }];
  const isRepeated = ownerNames.findIndex((one) => one.uniqueId === uniqueId) < index;
  return isRepeated ? [{ field, message: 'must not be repeated' }] : [];
}

/** Reports whether an underwriter can request a path: a section, an owner, or a field of a section or owner. */
function isAskable({ businessOwners }: Pick<StoredApplication, 'businessOwners'>, path: string): boolean {
  const [, section = '', uniqueId, field] = /^(\w+)(?:\[(.+)\])?(?:\.(\w+))?$/s.exec(path) ?? [];
  if (!isSection(section)) return false;
  if (section !== 'businessOwners')
    return uniqueId === undefined && (field === undefined || Object.hasOwn(sectionFields[section], field));
  if (uniqueId === undefined) return field === undefined;
  const isOwner = businessOwners.some((owner) => owner.uniqueId === uniqueId);
  return isOwner && (field === undefined || Object.hasOwn(ownerFields, field));
}

const isSection = (name: string): name is SectionName => sectionNames.some((section) => section === name);

/**
 * Creates the merchant of an approved application, with its owner, team and participants. Encrypts the sensitive values again, because each
 * ciphertext is bound to its record.
 */
export async function approveApplication(
  application: StoredApplication,
  request: MerchantChangeRequest & { account: AccountId; body: DecisionInput },
): Promise<{ after: StoredApplication; merchant: StoredMerchant }> {
  const values = await decryptApplication(application, await request.dataKeys());
  const dayOf = (instant: string) => dayIn(request.accountRecord.timezone, new Date(instant));
  const mapped = mapToMerchant(application, { values, dayOf, ownerNames: request.body.ownerNames });
  const merchant = await newMerchant(request, mapped, {
    applicationId: application.id,
    ...ownershipFrom(application),
  });
  return { after: { ...application, admin: { ...application.admin, merchantId: merchant.id } }, merchant };
}
