import type { Account } from '../../../accounts/schema.ts';
import { requireOwnNew } from '../../../endpoints/reached.ts';
import { changesBetween } from '../../../events/changes.ts';
import type { Effects } from '../../../events/envelope.ts';
import type { AccountId } from '../../../id/account-id.ts';
import { ownershipOf } from '../../../people/ownership/new-ownership.ts';
import type { DataKeys } from '../../../security/data-keys.ts';
import type { Principal } from '../../../security/principal.ts';
import { type Authored, revise } from '../../../table/revise.ts';
import { type Completeness, completenessOf } from '../completeness/required-items.ts';
import { markCompleted } from '../completeness/validate-application.ts';
import { formValueFaults } from '../completeness/value-faults.ts';
import { applicationCreated, applicationUpdated } from '../events.ts';
import { mintOwnerId } from '../record/application-id.ts';
import { encryptSentValues, needsKeys } from '../record/encrypt-application.ts';
import { applicationEventFields } from '../record/event-fields.ts';
import { isAnsweredBy, markAnswered } from '../record/mark-answered.ts';
import type { ApplicationInput } from '../record/schema.ts';
import type { StoredApplication } from '../record/stored-application.ts';
import { mayReadApplication } from '../show-application.ts';
import { applications } from '../store.ts';
import { checkApplicantChange, mergeApplication } from './merge-application.ts';
import { type NewApplicationOptions, newApplication } from './new-application.ts';

/** The parts of a request that `changeApplication` uses. */
export interface ApplicationChangeRequest extends Authored {
  principal: Principal;
  accountRecord: Pick<Account, 'applicantPricing'>;
  body: ApplicationInput;
  /** Called only when a sensitive value must be encrypted. */
  dataKeys(): Promise<DataKeys>;
}

/** An application after a change, with the writes and the events of the change. */
export interface ChangedApplication extends Effects {
  after: StoredApplication;
  completeness: Completeness;
}

interface ChangeOptions {
  preserveOtherOwners?: boolean;
}

/**
 * Merges a request into an application, encrypts sensitive values, and sets `answered` and `completedAt`. `after` is
 * the same object if nothing changed. A sent sensitive value always counts as changed if the caller may not read
 * applications. Throws the errors of `mergeApplication`.
 */
export async function changeApplication(
  before: StoredApplication,
  request: ApplicationChangeRequest,
  options: ChangeOptions,
): Promise<ChangedApplication> {
  let after = await fillForm(before, request, options);
  const completeness = completenessOf(after);
  const changes = changesBetween(applicationEventFields(before), applicationEventFields(after));
  if (after !== before) {
    const admin = markAnswered(after.admin, isAnsweredBy(Object.keys(changes)));
    after = markCompleted({ ...after, admin }, completeness, request.now);
  }
  return {
    after,
    completeness,
    writes: applications.replace(before, after, completeness),
    events: applicationUpdated(before, after, changes),
  };
}

/** Creates an application from a request. `appKey` is in plain text. Throws the errors of `mergeApplication`. */
export async function createApplication(
  request: ApplicationChangeRequest & { account: AccountId },
  options: NewApplicationOptions = {},
): Promise<ChangedApplication & { appKey: string }> {
  const { application: empty, appKey } = await newApplication(request, await request.dataKeys(), options);
  const { updatedBy, ...filled } = await fillForm(empty, request, {});
  const completeness = completenessOf(filled);
  const after = markCompleted({ ...filled, version: 1 }, completeness, request.now);
  return {
    after,
    completeness,
    appKey,
    writes: applications.insert({ after, completeness, appKey }),
    events: applicationCreated(after, changesBetween({}, applicationEventFields(after))),
  };
}

/**
 * Creates an application that belongs to the caller, if the caller is a user. Throws `permission_denied` like
 * `requireOwnNew`, and the errors of `mergeApplication`.
 */
export async function createOwnApplication(
  request: ApplicationChangeRequest & { account: AccountId },
  { ownId }: Pick<NewApplicationOptions, 'ownId'> = {},
): Promise<ChangedApplication & { appKey: string }> {
  const { principal } = request;
  const created = await createApplication(request, { ownId, ownership: ownershipOf(principal) });
  requireOwnNew(principal, 'application', created.after);
  return created;
}

/** Merges the body of a request into the form, and encrypts its sensitive values. */
async function fillForm(
  before: StoredApplication,
  request: ApplicationChangeRequest,
  { preserveOtherOwners }: ChangeOptions,
): Promise<StoredApplication> {
  const { body, principal, accountRecord, now } = request;
  const merged = mergeApplication(before, body, {
    preserveOtherOwners,
    mintUniqueId: () => mintOwnerId(now),
  });
  if (principal.kind === 'applicant') checkApplicantChange(before, merged, accountRecord);
  if (!needsKeys(before, merged)) return revise(before, merged.revision, request);
  const encrypted = await encryptSentValues(
    before,
    merged,
    await request.dataKeys(),
    mayReadApplication(principal, before),
    (path, plain) => formValueFaults(path, plain, now),
  );
  return revise(before, encrypted, request);
}
