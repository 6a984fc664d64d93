import type { IndexedFields } from '../../search/indexed-fields.ts';
import type { Membership } from './schema.ts';

/** Searches find members by these fields. The filters of the list read the members themselves. */
export const indexedMemberFields = {
  names: ['email', 'name', 'phone'],
  texts: [],
  values: [],
} satisfies IndexedFields<Membership>;
