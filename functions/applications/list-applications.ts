import { listing } from '../../shared/endpoints/listing.ts';
import { ApplicationSummary } from '../../shared/sales/applications/schema.ts';
import { applications } from '../../shared/sales/applications/store.ts';

const shared = [
  'status',
  'priority',
  'assignedTo',
  'repcode',
  'dbaName',
  'dbaCity',
  'dbaState',
  'mccNumber',
] as const;
const dates = ['createdAt', 'updatedAt', 'submittedAt', 'decidedAt', 'completedAt'] as const;

export default listing(
  {
    path: '/applications',
    permission: 'readApplications',
    item: ApplicationSummary,
    filters: [
      ...shared,
      'dbaContact',
      'dbaEmail',
      'dbaPhone',
      'isComplete',
      'leadId',
      'merchantId',
      'createdBy',
    ],
    sorts: [...shared, ...dates, 'highMonthlyVolume', 'completeness'],
    searchable: ['id', 'dbaName', 'dbaContact', 'ownerNames', 'dbaEmail', 'dbaPhone'],
    summary: 'List applications',
  },
  ({ account }) => applications.listOf(account),
);
