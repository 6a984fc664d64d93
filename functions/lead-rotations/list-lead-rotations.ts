import { listing } from '../../shared/endpoints/listing.ts';
import { LeadRotation } from '../../shared/sales/lead-rotations/schema.ts';
import { leadRotations } from '../../shared/sales/lead-rotations/store.ts';

export default listing(
  {
    path: '/lead-rotations',
    permission: 'readLeadRotations',
    item: LeadRotation,
    filters: ['name', 'teamId', 'status', 'createdBy'],
    sorts: ['createdAt', 'updatedAt', 'name', 'teamId', 'status'],
    searchable: ['name'],
    summary: 'List lead rotations',
  },
  ({ account }) => leadRotations.listOf(account),
);
