import { acrossAccounts, event, reading, reserved, resource } from './declare.ts';
import { changed } from './event-data.ts';
import { changedNotice, did } from './text.ts';

export const accountResource = resource({
  name: 'account',
  readers: 'administrators',
  portal: { path: '/account', opens: 'account' },
  audited: false,
  children: [],
  exported: true,
  items: { 'sla-policy': { as: 'sla_policy' } },
  unlogged: { ACCOUNTS: 'without an event' },
  reads: [
    reading('former SLA policy', 'SLAPOLICY', 'number', 'shared/accounts/sla-policies.ts'),
    acrossAccounts('account', 'ACCOUNTRECORD#account', 'ACCOUNT', 'shared/accounts/store.ts'),
    acrossAccounts('all accounts', 'ACCOUNTS', 'account', 'shared/accounts/directory.ts'),
  ],
  reference: { place: 16, description: 'Tenants. Every record belongs to one account.' },
  events: {
    account_created: event(changed, 'The account was created.', did('created')),
    account_updated: event(changed, 'Settings of the account changed.', changedNotice),
    account_deleted: reserved('The account was deleted.'),
    account_permissions_updated: reserved('The permissions of the account changed.'),
    account_type_created: reserved('An account type was created.'),
    account_type_deleted: reserved('An account type was deleted.'),
    account_type_updated: reserved('An account type changed.'),
  },
});
