import { evaluate, type ResolvedMethod } from './condition.ts';
import { type FilledForm, isOwnerField, pathOf, sectionOf } from './form-fields.ts';
import { warningRules } from './rules.ts';
import type { Warning } from './schema.ts';

/**
 * Returns the warnings about a form, in the order of its fields. Decrypts nothing: the faults of a sensitive value are
 * stored with it. Without `mayRead`, equal values are not reported, because the caller could guess another owner's.
 */
export const findWarnings = (form: FilledForm, method: ResolvedMethod, mayRead = true): Warning[] =>
  warningRules
    .filter(({ when }) => mayRead || !('sharedByOwners' in when))
    .flatMap(({ id, field, when, message }) =>
      (isOwnerField(field) ? form.businessOwners : [undefined])
        .filter((owner) => evaluate(when, { form, method, owner }).holds)
        .map((owner) => {
          const path = pathOf(field, owner);
          return { rule: id, section: sectionOf(path), field: path, message };
        }),
    );
