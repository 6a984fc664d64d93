import { indexedFields } from '../../search/indexed-fields.ts';
import type { Membership } from './schema.ts';

/** The index contains the words of members. The filters of their list read the members themselves. */
export const indexedMemberFields = indexedFields<Membership>({
  fields: {
    createdAt: ['sort'],
    updatedAt: ['sort'],
    email: ['search', 'sort'],
    name: ['search', 'sort'],
    active: ['unindexed filter', 'sort'],
    teamId: ['unindexed filter', 'sort'],
    phone: ['search'],
    accountAdmin: ['unindexed filter'],
    createdBy: ['unindexed filter'],
  },
});
