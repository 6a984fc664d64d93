import {
  type FilledForm,
  isFilled,
  isOwnerField,
  pathOf,
  readField,
  sectionOf,
} from '../record/form-fields.ts';
import type { ProcessingMethod } from '../record/schema.ts';
import type { StoredOwner } from '../record/stored-application.ts';
import { evaluate, type Fact, type ResolvedMethod } from './condition.ts';
import {
  type DocumentRule,
  documentRules,
  type FieldRule,
  fieldRules,
  type Needed,
  processingMethod,
} from './rules.ts';

/** A field that a rule requires, whether or not the field is filled in. */
export interface RequiredField {
  rule: string;
  section: string;
  /** A path such as `businessOwners[own_1].name`. `businessOwners` means that at least one owner is required. */
  field: string;
  /** A field that can be filled in instead. */
  or?: string;
  filled: boolean;
  facts: readonly Fact[];
}

/** A document that an application can contain, required or not. */
export interface FormDocument {
  rule: DocumentRule;
  key: string;
  owner?: StoredOwner;
  required: boolean;
  /** The document has a completed file that is not rejected. */
  uploaded: boolean;
  facts: readonly Fact[];
}

function neededFields(form: FilledForm, { id, needs }: FieldRule, facts: readonly Fact[]): RequiredField[] {
  const one = (needed: Needed, owner?: StoredOwner): RequiredField => {
    const [field, or] = typeof needed === 'string' ? [needed] : needed;
    if (field === 'businessOwners')
      return { rule: id, section: field, field, filled: form.businessOwners.length > 0, facts };
    const path = pathOf(field, owner);
    return {
      rule: id,
      section: sectionOf(path),
      field: path,
      ...(or && { or }),
      filled: [field, or].some((name) => name && isFilled(readField(form, name, owner))),
      facts,
    };
  };
  const ofOwner = (needed: Needed) => typeof needed === 'string' && isOwnerField(needed);
  return [
    ...needs.filter((needed) => !ofOwner(needed)).map((needed) => one(needed)),
    ...form.businessOwners.flatMap((owner) => needs.filter(ofOwner).map((needed) => one(needed, owner))),
  ];
}

/** Every required field, in the order of the form. */
const requiredFields = (form: FilledForm, method: ResolvedMethod): RequiredField[] =>
  fieldRules.flatMap((rule) => {
    const { holds, facts } = evaluate(rule.when, { form, method });
    return holds ? neededFields(form, rule, facts) : [];
  });

/** Every document of this application, in the order of the rules. Includes documents that are not required. */
const formDocuments = (form: FilledForm, method: ResolvedMethod): FormDocument[] =>
  documentRules.flatMap((rule) => {
    const { holds, facts } = evaluate(rule.when, { form, method });
    const document = (key: string, owner?: StoredOwner): FormDocument => ({
      rule,
      key,
      ...(owner && { owner }),
      required: holds === true,
      uploaded: (form.uploads[key] ?? 0) > 0,
      facts,
    });
    return rule.eachOwner
      ? form.businessOwners.map((owner) => document(`${rule.id}_${owner.uniqueId}`, owner))
      : [document(rule.id)];
  });

/** The documents and the missing items of a form, for one processing method. */
export interface Completeness {
  method: ResolvedMethod;
  /** Every document, in the order of the rules. Includes documents that are not required. */
  documents: readonly FormDocument[];
  /** The missing required items: fields in the order of the form, and documents. */
  missing: { fields: readonly RequiredField[]; documents: readonly FormDocument[] };
  isComplete: boolean;
  /** The percentage of required items that are present, rounded down. 100 if none are required. */
  percentage: number;
}

/** Evaluates the rules of required items. By default, uses the processing method of the form. */
export function completenessOf(form: FilledForm, given?: ProcessingMethod): Completeness {
  const method = processingMethod(form, given);
  const fields = requiredFields(form, method);
  const documents = formDocuments(form, method);
  const required = documents.filter((document) => document.required);
  const missing = {
    fields: fields.filter(({ filled }) => !filled),
    documents: required.filter(({ uploaded }) => !uploaded),
  };
  const total = fields.length + required.length;
  const present = total - missing.fields.length - missing.documents.length;
  return {
    method,
    documents,
    missing,
    isComplete: present === total,
    percentage: total === 0 ? 100 : Math.floor((100 * present) / total),
  };
}

/** Reports whether a key identifies a document of this application or of one of its owners. */
export const isDocumentKey = (form: Pick<FilledForm, 'businessOwners'>, key: string): boolean =>
  documentRules.some(({ id, eachOwner }) =>
    eachOwner ? form.businessOwners.some(({ uniqueId }) => key === `${id}_${uniqueId}`) : key === id,
  );
