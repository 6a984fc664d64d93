import type { Account } from '../../accounts/schema.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import type { Principal } from '../../security/principal.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { mintOwnerId } from './application-id.ts';
import { changedPaths } from './event-fields.ts';
import { isAnsweredBy, markAnswered } from './mark-answered.ts';
import { checkApplicantChange, mergeApplication } from './merge-application.ts';
import { newApplication, type WithAppKey } from './new-application.ts';
import type { ApplicationInput } from './schema.ts';
import { needsKeys, sealSentValues } from './seal-values.ts';
import { faultsOf } from './sealed-faults.ts';
import { mayReadApplications } from './show-application.ts';
import type { StoredApplication } from './stored-application.ts';
import { markCompleted } from './validate-application.ts';

/** The parts of a request that `changeApplication` uses. */
export interface ApplicationChangeRequest extends Authored {
  principal: Principal;
  accountRecord: Pick<Account, 'applicantPricing'>;
  body: ApplicationInput;
  /** Called only when a sensitive value must be encrypted. */
  dataKeys(): Promise<DataKeys>;
}

/**
 * Merges a request into an application, encrypts sensitive values, and sets `answered` and `completedAt`.
 * Returns the same object if nothing changed. A sent sensitive value always counts as changed if the caller
 * may not read applications. Throws the errors of `mergeApplication`.
 */
export async function changeApplication(
  before: StoredApplication,
  request: ApplicationChangeRequest,
  options: { preserveOtherOwners?: boolean } = {},
): Promise<StoredApplication> {
  const { body, principal, accountRecord, now } = request;
  const merged = mergeApplication(before, body, { ...options, mintUniqueId: () => mintOwnerId(now) });
  if (principal.kind === 'applicant') checkApplicantChange(before, merged, accountRecord);
  const revision = needsKeys(before, merged)
    ? await sealSentValues(
        before,
        merged,
        await request.dataKeys(),
        mayReadApplications(principal),
        (path, plain) => faultsOf(path, plain, now),
      )
    : merged.revision;
  const after = revise(before, revision, request);
  if (after === before) return before;
  return markCompleted(
    { ...after, admin: markAnswered(after.admin, isAnsweredBy(changedPaths(before, after))) },
    now,
  );
}

/** Creates an application from a request. If `ownId` is omitted, the service generates the id. */
export async function createApplication(
  request: ApplicationChangeRequest & { account: AccountId },
  ownId?: string,
): Promise<WithAppKey> {
  const made = await newApplication(request, await request.dataKeys(), ownId);
  const { updatedBy, ...filled } = await changeApplication(made.application, request);
  return { application: { ...filled, version: 1 }, appKey: made.appKey };
}
