import { dateTime, object } from '../schema.ts';
import { event, resource } from './declare.ts';
import { changed } from './event-data.ts';
import { changedNotice, did } from './text.ts';

export const accountResource = resource({
  name: 'account',
  readers: 'administrators',
  portal: { path: '/account', opens: 'account' },
  exported: true,
  items: {
    'sla-policy': { as: 'sla_policy' },
    'child-account': { as: 'child_account' },
    'account-closing': 'derived',
    'erased-account': 'derived',
  },
  unlogged: {
    ACCOUNTS: 'without an event',
    CHILDACCOUNT: 'without an event',
    CLOSING: 'without an event',
    ERASEDACCOUNTS: 'without an event',
  },
  reference: { place: 16, description: 'Tenants. Every record belongs to one account.' },
  events: {
    account_created: event(changed, 'The account was created.', did('created')),
    account_updated: event(changed, 'Settings of the account changed.', changedNotice),
    account_deleted: event(
      object({
        erasesAt: dateTime({
          description: 'When the erasure begins. Until then, the account can be reopened.',
        }),
      }),
      'The account was deleted. It is erased after 30 days, unless it is reopened before.',
      did('deleted', 'deleted', ' It is erased after {erasesAt}.'),
    ),
    account_permissions_updated: event(
      changed,
      'The permissions or the account type of the account changed.',
      changedNotice,
    ),
  },
});
