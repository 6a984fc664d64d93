import type { Account } from '../../../accounts/schema.ts';
import { ApiError, type FieldError } from '../../../errors.ts';
import { type Authored, revise } from '../../../table/revise.ts';
import { type Completeness, completenessOf } from '../completeness/required-items.ts';
import { missingMessage } from '../completeness/validate-application.ts';
import type { StoredApplication } from '../record/stored-application.ts';

/**
 * Submits the application. Throws `application_not_pending`. If the account requires complete applications, also throws
 * `application_incomplete` with all missing items.
 */
export function submitApplication(
  application: StoredApplication,
  request: Authored & { accountRecord: Pick<Account, 'requireCompleteApplication'> },
): { after: StoredApplication; completeness: Completeness } {
  if (application.status !== 'pending') throw new ApiError('application_not_pending');
  const completeness = completenessOf(application);
  const details = request.accountRecord.requireCompleteApplication ? missingIn(completeness) : [];
  if (details.length > 0) throw new ApiError('application_incomplete', { details });
  const { principal, now } = request;
  const submission = { submittedBy: principal.actor.user, submittedAt: now.toISOString() };
  return { after: revise(application, { status: 'submitted', ...submission }, request), completeness };
}

/** Returns the missing items: first the fields, then the documents by key. */
function missingIn({ missing: { fields, documents } }: Completeness): FieldError[] {
  return [
    ...fields.map((field) => ({ field: field.field, message: missingMessage(field) })),
    ...documents.map(({ key }) => ({
      field: key,
      message: 'is a required document that has not been uploaded',
    })),
  ];
}
