import { changeEvents, resource } from './declare.ts';

export const accountTypeResource = resource({
  name: 'account_type',
  readers: 'administrators',
  portal: 'list',
  exported: true,
  reference: {
    place: 16.5,
    description: 'The permissions and limits of child accounts.',
  },
  group: 'Accounts',
  events: changeEvents('account_type', 'An account type'),
});
