import { ApiError, type FieldError, invalid } from '../../../errors.ts';
import { mergeFields } from '../../../security/merge-fields.ts';
import { type Revision, sameValue } from '../../../table/revise.ts';
import type { MergedApplication } from '../record/encrypt-application.ts';
import { objectSections, pricingSections } from '../record/fields.ts';
import type { ApplicationInput, AppStatus } from '../record/schema.ts';
import { isSensitiveFormField } from '../record/sensitive-values.ts';
import type { StoredApplication } from '../record/stored-application.ts';
import { blanksCleared, type MergeOwners, mergeOwners } from './merge-owners.ts';

/**
 * Merges the body of a request into an application, field by field. Null clears a field. Throws
 * `application_not_pending` unless the application is pending, and `invalid_input` for invalid values.
 */
export function mergeApplication(
  before: StoredApplication,
  { repcode, system = {}, businessOwners, ...sections }: ApplicationInput,
  options: MergeOwners,
): MergedApplication {
  if (before.status !== 'pending') throw new ApiError('application_not_pending');
  checkStatus(before.status, system.appStatus);
  const { appFlags, applicationLog } = system;
  const sentTexts = new Map<string, string>();
  const revision: Revision<StoredApplication> = { repcode, appFlags, applicationLog };
  for (const section of objectSections) {
    const sent = sections[section];
    if (sent === undefined) continue;
    const nameOf = (field: string) => `${section}.${field}`;
    const merged = mergeFields(before[section] ?? {}, blanksCleared(sent), {
      isSensitive: (field) => isSensitiveFormField(section, field),
      pathOf: nameOf,
      nameOf,
    });
    revision[section] = Object.keys(merged.fields).length > 0 ? merged.fields : null;
    for (const [path, plain] of merged.sentTexts) sentTexts.set(path, plain);
  }
  if (!businessOwners) return { revision, sentTexts };
  const { sentTexts: ofOwners, ...owners } = mergeOwners(before, businessOwners, options);
  return { revision: { ...revision, ...owners }, sentTexts: new Map([...sentTexts, ...ofOwners]) };
}

function checkStatus(present: AppStatus, sent: AppStatus | undefined): void {
  if (sent !== undefined && sent !== present)
    throw invalid('system.appStatus', `is ${present}: only a submission or a decision can change it`);
}

/** Throws if an applicant changes a pricing section and the account has turned off `applicantPricing`. */
export function checkApplicantChange(
  before: StoredApplication,
  { revision }: MergedApplication,
  { applicantPricing = true }: { applicantPricing?: boolean },
): void {
  if (applicantPricing) return;
  const details = pricingSections
    .filter((section) => changes(before, revision, section))
    .map((field): FieldError => ({ field, message: 'can be set only by the staff of the account' }));
  if (details.length > 0) throw new ApiError('invalid_input', { details });
}

const changes = (
  before: StoredApplication,
  revision: Revision<StoredApplication>,
  section: (typeof pricingSections)[number],
): boolean => revision[section] !== undefined && !sameValue(before[section] ?? null, revision[section]);
