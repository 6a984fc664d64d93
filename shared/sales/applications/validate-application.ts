import type { ResolvedMethod } from './condition.ts';
import { sectionNames } from './fields.ts';
import type { FilledForm } from './form-fields.ts';
import { formDocuments, type RequiredField, requiredFields } from './required-items.ts';
import { findWarnings, processingMethod } from './rules.ts';
import type { AppStatus, ProcessingMethod, Validation } from './schema.ts';
import type { StoredApplication } from './stored-application.ts';

/** The missing items of an application: fields in the order of the form, then documents. */
export const missingItems = (form: FilledForm, method: ResolvedMethod) => ({
  fields: requiredFields(form, method).filter(({ filled }) => !filled),
  documents: formDocuments(form, method).filter(({ required, uploaded }) => required && !uploaded),
});

export const missingMessage = ({ or }: RequiredField): string =>
  or ? `or ${or} is required` : 'is required';

/** Reports whether every required item is present. Uses the processing method of the form. */
export function isComplete(form: FilledForm): boolean {
  const { fields, documents } = missingItems(form, processingMethod(form));
  return fields.length === 0 && documents.length === 0;
}

/** Reports whether the application is complete for the first time. */
export const completedNow = (application: FilledForm & Pick<StoredApplication, 'completedAt'>): boolean =>
  application.completedAt === undefined && isComplete(application);

/** Sets `completedAt` if the application is complete for the first time. */
export const markCompleted = (application: StoredApplication, now: Date): StoredApplication =>
  completedNow(application) ? { ...application, completedAt: now.toISOString() } : application;

/** Reports whether the application can be submitted. `requireComplete` is a setting of the account. */
export const canSubmit = (form: FilledForm & { status: AppStatus }, requireComplete = false): boolean =>
  form.status === 'pending' && (!requireComplete || isComplete(form));

/**
 * Returns missing items and warnings. If given, `processingMethod` affects the required items and `isComplete`, but
 * not `canSubmit`, because a submission always uses the method of the form.
 */
export function validation(
  form: FilledForm & { status: AppStatus },
  options: { processingMethod?: ProcessingMethod; requireComplete?: boolean; mayRead?: boolean } = {},
): Validation {
  const method = processingMethod(form, options.processingMethod);
  const { fields, documents } = missingItems(form, method);
  const sections = sectionNames.map((name) => {
    const missing = fields.filter(({ section }) => section === name).map(({ field }) => field);
    return [name, { complete: missing.length === 0, missing }];
  });
  return {
    isComplete: fields.length === 0 && documents.length === 0,
    canSubmit: canSubmit(form, options.requireComplete),
    missingFields: fields.map((one) => ({
      section: one.section,
      field: one.field,
      message: missingMessage(one),
    })),
    missingDocuments: documents.map(({ key }) => key),
    sections: Object.fromEntries(sections),
    warnings: findWarnings(form, method, options.mayRead),
  };
}
