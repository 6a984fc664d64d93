import type { ownerFields, Section, sectionFields } from './fields.ts';
import type { StoredApplication, StoredOwner, StoredSections } from './stored-application.ts';

/** A field of a section other than `businessOwners`, for example `basics.dbaCity`. */
export type SectionField = { [S in Section]: `${S}.${keyof (typeof sectionFields)[S] & string}` }[Section];
/** A field that each owner has, for example `businessOwners[].name`. */
export type OwnerField = `businessOwners[].${keyof typeof ownerFields}`;
/** A field of the form, in the notation of rules. */
export type FormField = SectionField | OwnerField;

/** The input of rules: the form and, for each document, the number of completed files that are not rejected. */
export type FilledForm = StoredSections & Pick<StoredApplication, 'businessOwners' | 'uploads'>;

/** The part of an owner that conditions need. */
export type TestedOwner = Pick<StoredOwner, 'uniqueId'>;

/** A form that conditions test: an application, or the facts about a submission. */
export interface TestedForm {
  businessOwners: readonly TestedOwner[];
}

/** The section of a path: `businessOwners` for `businessOwners[own_1].name`. */
export const sectionOf = (path: string): string => path.split(/[.[]/)[0] ?? path;

/** The path of a field in responses and changes: `businessOwners[own_1].name` for an owner's field. */
export const pathOf = (field: string, owner?: TestedOwner): string =>
  owner ? field.replace('[]', () => `[${owner.uniqueId}]`) : field;

export const isOwnerField = (field: string): field is OwnerField => field.startsWith('businessOwners[].');

/**
 * Returns the stored value of a field. Returns undefined for an empty field, and for an owner's field if `owner` is
 * omitted.
 */
export function readField(form: TestedForm, field: string, owner?: TestedOwner): unknown {
  const [section = '', name = ''] = field.split('.');
  const holder: unknown = isOwnerField(field) ? owner : Reflect.get(form, section);
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;
}

/** Reports whether a stored value is filled in: every value except undefined, null and blank text. */
export const isFilled = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;
