import type { Account } from '../../../accounts/schema.ts';
import { changesBetween } from '../../../events/changes.ts';
import type { AccountId } from '../../../id/account-id.ts';
import type { Changes } from '../../../resources/event-data.ts';
import type { DataKeys } from '../../../security/data-keys.ts';
import type { Principal } from '../../../security/principal.ts';
import { type Authored, revise } from '../../../table/revise.ts';
import { mintOwnerId } from '../application-id.ts';
import { type Completeness, completenessOf } from '../completeness/required-items.ts';
import { markCompleted } from '../completeness/validate-application.ts';
import { applicationEventFields } from '../event-fields.ts';
import type { ApplicationInput } from '../schema.ts';
import { mayReadApplications } from '../show-application.ts';
import type { StoredApplication } from '../stored-application.ts';
import { encryptSentValues, needsKeys } from './encrypt-application.ts';
import { isAnsweredBy, markAnswered } from './mark-answered.ts';
import { checkApplicantChange, mergeApplication } from './merge-application.ts';
import { type NewApplicationOptions, newApplication } from './new-application.ts';
import { formValueFaults } from './value-faults.ts';

/** The parts of a request that `changeApplication` uses. */
export interface ApplicationChangeRequest extends Authored {
  principal: Principal;
  accountRecord: Pick<Account, 'applicantPricing'>;
  body: ApplicationInput;
  /** Called only when a sensitive value must be encrypted. */
  dataKeys(): Promise<DataKeys>;
}

/** An application after a change, and what later steps derive from the change. */
export interface ApplicationChange {
  after: StoredApplication;
  /** The changed fields by path, as in events. For a new application, all fields. */
  changes: Changes;
  completeness: Completeness;
}

/**
 * Merges a request into an application, encrypts sensitive values, and sets `answered` and `completedAt`. `after` is
 * the same object if nothing changed. A sent sensitive value always counts as changed if the caller may not read
 * applications. Throws the errors of `mergeApplication`.
 */
export async function changeApplication(
  before: StoredApplication,
  request: ApplicationChangeRequest,
  { preserveOtherOwners, isNew = false }: { preserveOtherOwners?: boolean; isNew?: boolean },
): Promise<ApplicationChange> {
  const { body, principal, accountRecord, now } = request;
  const mintUniqueId = () => mintOwnerId(now);
  const merged = mergeApplication(before, body, { preserveOtherOwners, mintUniqueId });
  if (principal.kind === 'applicant') checkApplicantChange(before, merged, accountRecord);
  const revision = needsKeys(before, merged)
    ? await encryptSentValues(
        before,
        merged,
        await request.dataKeys(),
        mayReadApplications(principal),
        (path, plain) => formValueFaults(path, plain, now),
      )
    : merged.revision;
  const revised = revise(before, revision, request);
  const completeness = completenessOf(revised);
  if (revised === before && !isNew) return { after: before, changes: {}, completeness };
  const changes = changesBetween(
    isNew ? {} : applicationEventFields(before),
    applicationEventFields(revised),
  );
  const admin = markAnswered(revised.admin, isAnsweredBy(Object.keys(changes)));
  return { after: markCompleted({ ...revised, admin }, completeness, now), changes, completeness };
}

/** A new application with its appKey in plain text. */
export interface CreatedApplication extends ApplicationChange {
  appKey: string;
}

/** Creates an application from a request. Throws the errors of `mergeApplication`. */
export async function createApplication(
  request: ApplicationChangeRequest & { account: AccountId },
  options: NewApplicationOptions = {},
): Promise<CreatedApplication> {
  const { application, appKey } = await newApplication(request, await request.dataKeys(), options);
  const { after, ...derived } = await changeApplication(application, request, { isNew: true });
  const { updatedBy, ...filled } = after;
  return { ...derived, after: { ...filled, version: 1 }, appKey };
}
