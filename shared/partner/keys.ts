import type { AccountId } from '../id/account-id.ts';
import { type Key, tenantPartition } from '../table/keys.ts';
import type { WorkQueue } from '../work-queue/keys.ts';

export const partnerPartition = (account: AccountId): string => tenantPartition(account, 'PARTNER');

export const connectionKey = (account: AccountId): Key => ({
  pk: partnerPartition(account),
  sk: 'CONNECTION',
});

export const connectionHealthKey = (account: AccountId): Key => ({
  pk: partnerPartition(account),
  sk: 'CONNECTION#HEALTH',
});

/** The partner's ids may contain `#`, so they are encoded. */
export const partnerTicketKey = (account: AccountId, partnerTicketId: string): Key => ({
  pk: tenantPartition(account, 'PARTNERTICKET', encodeURIComponent(partnerTicketId)),
  sk: 'TICKET',
});

export const partnerCommentKey = (account: AccountId, partnerTicketId: string, commentId: string): Key => ({
  pk: partnerTicketKey(account, partnerTicketId).pk,
  sk: `COMMENT#${encodeURIComponent(commentId)}`,
});

/** The work queue of the requests to the partner. */
export const partnerRequests = (account: AccountId): WorkQueue => ({ account, name: 'PARTNER' });

/** The work queue of the partner’s events. */
export const partnerEvents = (account: AccountId): WorkQueue => ({ account, name: 'PARTNEREVENTS' });
