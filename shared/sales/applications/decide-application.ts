import { ApiError, type FieldError } from '../../errors.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { ownerFields, type SectionName, sectionFields, sectionNames } from './fields.ts';
import { isDocumentKey } from './required-items.ts';
import type { ApplicationAdmin, AppStatus, InfoRequest } from './schema.ts';
import type { StoredApplication } from './stored-application.ts';
import type { DecisionInput } from './underwriting-schema.ts';

/** The state that a decision leads to: asking for more gives the application back to the merchant. */
const states = {
  approved: 'approved',
  rejected: 'rejected',
  info_requested: 'pending',
} as const satisfies Record<DecisionInput['decision'], AppStatus>;

/**
 * The application after an underwriter's decision. Throws `application_not_submitted` for one that is not waiting for
 * a decision, and `invalid_input` for a decision that lacks its reason or asks for what the application does not have.
 */
export function decideApplication(
  application: StoredApplication,
  { decision, reason, requested = [] }: DecisionInput,
  request: Authored,
): StoredApplication {
  if (application.status !== 'submitted') throw new ApiError('application_not_submitted');
  const details = [
    ...(decision === 'approved' || reason?.trim() ? [] : [missingReason]),
    ...(decision === 'info_requested' || requested.length === 0 ? [] : [onlyWithRequest]),
    ...requested.flatMap((item, index) => faultsOf(application, item, `requested[${index}]`)),
  ];
  if (details.length > 0) throw new ApiError('invalid_input', { details });
  const { principal, now } = request;
  const made = {
    decision,
    ...(reason && { reason }),
    decidedBy: principal.actor.user,
    decidedAt: now.toISOString(),
  };
  const given = decision === 'info_requested';
  return revise(
    application,
    {
      status: states[decision],
      ...(given ? { submittedBy: null, submittedAt: null } : { decidedAt: made.decidedAt }),
      admin: withRequests({ ...application.admin, decision: made }, given ? requested : undefined),
    },
    request,
  );
}

const missingReason: FieldError = { field: 'reason', message: 'is required unless the decision is approved' };
const onlyWithRequest: FieldError = { field: 'requested', message: 'goes with info_requested only' };

/**
 * What is asked for from now on: what is still open and what is new, of which each field and document is asked for once.
 * A decision that is final asks for nothing any more.
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

/** The field or document that is asked for. */
const targetOf = ({ field, documentKey }: InfoRequest): string => field ?? documentKey ?? '';

function faultsOf(
  application: StoredApplication,
  { field, documentKey }: InfoRequest,
  name: string,
): FieldError[] {
  if ((field === undefined) === (documentKey === undefined))
    return [{ field: name, message: 'names either a field or a documentKey' }];
  if (field !== undefined && !isAskable(application, field))
    return [{ field: `${name}.field`, message: 'is no field of this application' }];
  if (documentKey !== undefined && !isDocumentKey(application, documentKey))
    return [{ field: `${name}.documentKey`, message: 'is no document of this application' }];
  return [];
}

/** Whether a path is a section, an owner, or a field of one of them: what a change can answer. */
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
