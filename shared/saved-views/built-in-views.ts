import type { Account } from '../accounts/schema.ts';
import { openStatuses } from '../sla/schema.ts';
import type { SavedView } from './schema.ts';

/**
 * The views of every account. They are not stored. Their ids never change. Stored records have larger ids, which contain
 * the time of creation.
 */
const builtIn = [
  {
    id: 1,
    resource: 'ticket',
    name: 'My open tickets',
    query: { assignedTo: 'me', status: openStatuses },
  },
  {
    id: 2,
    resource: 'ticket',
    name: 'Unassigned tickets',
    query: { assignedTo: 'none', status: openStatuses },
  },
  // Overdue tickets are included. Tickets that wait for the customer are not, because their clock is paused.
  {
    id: 3,
    resource: 'ticket',
    name: 'Tickets due today',
    query: { slaResolutionDueBefore: 'today+1d' },
    sort: 'slaResolutionDue',
  },
  {
    id: 4,
    resource: 'ticket',
    name: 'Breached tickets',
    query: { slaStatus: ['breached'], status: openStatuses },
  },
  { id: 5, resource: 'lead', name: 'My leads', query: { assignedTo: 'me', archived: false } },
  {
    id: 6,
    resource: 'lead',
    name: 'Leads without contact for 14 days',
    query: { lastContactedBefore: '-14d', archived: false },
  },
  { id: 7, resource: 'application', name: 'Applications to decide', query: { status: ['submitted'] } },
  {
    id: 8,
    resource: 'application',
    name: 'Applications waiting for information',
    query: { status: ['pending'], decision: ['info_requested'] },
  },
] as const;

/** Returns the built-in views of an account. */
export const builtInViews = ({ id: accountId, createdAt }: Account): SavedView[] =>
  builtIn.map((view) => ({
    ...view,
    accountId,
    version: 1,
    createdAt,
    updatedAt: createdAt,
    sharedWith: 'everyone',
    builtIn: true,
  }));
