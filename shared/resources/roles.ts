import { changeEvents, event, resource } from './declare.ts';
import { changed } from './event-data.ts';
import { changedNotice } from './text.ts';

export const roleResource = resource({
  name: 'role',
  readers: 'own',
  portal: 'record',
  exported: { type: 'roles' },
  reference: {
    place: 15,
    name: 'Roles and permissions',
    description: 'Roles (sets of permissions), and all permissions.',
    segments: ['roles', 'permissions'],
  },
  events: {
    role_created: changeEvents('role', 'A role').role_created,
    role_deleted: changeEvents('role', 'A role').role_deleted,
    role_permissions_updated: event(changed, 'A role or its permissions changed.', changedNotice),
  },
});
