import { listing } from '../../shared/endpoints/listing.ts';
import { LeadRotation } from '../../shared/sales/lead-rotations/schema.ts';
import { leadRotations } from '../../shared/sales/lead-rotations/store.ts';

export default listing(
  {
    path: '/lead-rotations',
    permission: 'readLeadRotations',
    item: LeadRotation,
    fields: {
      createdAt: ['sort'],
      updatedAt: ['sort'],
      name: ['filter', 'search', 'sort'],
      teamId: ['filter', 'sort'],
      status: ['filter', 'sort'],
      createdBy: ['filter'],
    },
    summary: 'List lead rotations',
  },
  ({ account }) => leadRotations.listOf(account),
);
