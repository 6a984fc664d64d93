import type { ownerFields, Section, sectionFields } from './fields.ts';
import type { StoredApplication, StoredOwner, StoredSections } from './stored-application.ts';

/** A field of a section that is one object: `basics.dbaCity`. */
export type SectionField = { [S in Section]: `${S}.${keyof (typeof sectionFields)[S] & string}` }[Section];
/** A field that each owner has: `businessOwners[].name`. */
export type OwnerField = `businessOwners[].${keyof typeof ownerFields}`;
/** Every field of the form, as a rule names it. */
export type FormField = SectionField | OwnerField;

/** What the rules look at: what is filled in, and how many good files each document has. */
export type FilledForm = StoredSections & Pick<StoredApplication, 'businessOwners' | 'uploads'>;

/** The section of a path: `businessOwners` for `businessOwners[own_1].name`. */
export const sectionOf = (path: string): string => path.split(/[.[]/)[0] ?? path;

/** A field as responses and changes name it: `businessOwners[own_1].name` for that of an owner. */
export const pathOf = (field: FormField, owner?: StoredOwner): string =>
  owner ? field.replace('[]', () => `[${owner.uniqueId}]`) : field;

export const isOwnerField = (field: string): field is OwnerField => field.startsWith('businessOwners[].');

/** The stored value of a field; undefined where there is none, and for an owner's field without an owner. */
export function readField(form: FilledForm, field: FormField, owner?: StoredOwner): unknown {
  const [section = '', name = ''] = field.split('.');
  const holder: unknown = isOwnerField(field) ? owner : Reflect.get(form, section);
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;
}

/** Whether a stored value counts as filled in: blanks do not, zero, false and a sealed value do. */
export const isFilled = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;
