import { type Fields, mergeFields, type SentTexts } from '../../security/merge-fields.ts';
import type { SectionName } from './fields.ts';
import { isSensitive } from './sensitive-values.ts';

interface MergeForm {
  section: SectionName;
  /** The path of a field's place: what its value is sealed for. */
  pathOf(field: string): string;
  /** How the request calls the field: `businessOwners[0].name`. */
  nameOf(field: string): string;
}

/** The fields of a section, or of an owner, as they are after a change; an empty text clears a field, as null does. */
export const mergeFormFields = (
  stored: Fields,
  sent: Fields,
  { section, pathOf, nameOf }: MergeForm,
): { fields: Fields; sentTexts: SentTexts } =>
  mergeFields(stored, blanksCleared(sent), {
    isSensitive: (field) => isSensitive(section, field),
    pathOf,
    nameOf,
  });

/** A form sends an empty text for what nobody filled in. */
const blanksCleared = (sent: Fields): Fields =>
  Object.fromEntries(Object.entries(sent).map(([field, value]) => [field, isBlank(value) ? null : value]));

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';
