import { sectionNames } from '../record/fields.ts';
import type { FilledForm } from '../record/form-fields.ts';
import type { AppStatus, Validation } from '../record/schema.ts';
import type { StoredApplication } from '../record/stored-application.ts';
import { type Completeness, completenessOf, type RequiredField } from './required-items.ts';
import { findWarnings } from './rules.ts';

export const missingMessage = ({ or }: RequiredField): string =>
  or ? `or ${or} is required` : 'is required';

/** Sets `completedAt` if the application is complete for the first time. */
export const markCompleted = <A extends Pick<StoredApplication, 'completedAt'>>(
  application: A,
  { isComplete }: Completeness,
  now: Date,
): A =>
  isComplete && application.completedAt === undefined
    ? { ...application, completedAt: now.toISOString() }
    : application;

/** Reports whether the application can be submitted. `requireComplete` is a setting of the account. */
export const canSubmit = (
  { status }: { status: AppStatus },
  { isComplete }: Completeness,
  requireComplete = false,
): boolean => status === 'pending' && (!requireComplete || isComplete);

/**
 * Returns missing items and warnings. If given, `shown` is the completeness for another processing method. It affects
 * the missing items and `isComplete`, but not `canSubmit`, because a submission always uses the method of the form.
 */
export function validation(
  form: FilledForm & { status: AppStatus },
  options: { own?: Completeness; shown?: Completeness; requireComplete?: boolean; mayRead?: boolean } = {},
): Validation {
  const { own = completenessOf(form), shown = own } = options;
  const { fields, documents } = shown.missing;
  const sections = sectionNames.map((name) => {
    const missing = fields.filter(({ section }) => section === name).map(({ field }) => field);
    return [name, { complete: missing.length === 0, missing }];
  });
  return {
    isComplete: shown.isComplete,
    canSubmit: canSubmit(form, own, options.requireComplete),
    missingFields: fields.map((one) => ({
      section: one.section,
      field: one.field,
      message: missingMessage(one),
    })),
    missingDocuments: documents.map(({ key }) => key),
    sections: Object.fromEntries(sections),
    warnings: findWarnings(form, shown.method, options.mayRead),
  };
}
