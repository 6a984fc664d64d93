const nouns = [
  'Leads',
  'LeadRotations',
  'LeadSources',
  'Applications',
  'Merchants',
  'Tickets',
  'TicketTypes',
  'TicketRotations',
  'Users',
  'Teams',
  'Roles',
  'ApiKeys',
  'Lookups',
  'Webhooks',
  'Integrations',
] as const;

type Noun = (typeof nouns)[number];

/** The name of a permission. `GET /permissions` lists all permissions. */
export type Permission =
  | `read${Noun}`
  | `write${Noun}`
  | 'readNotifications'
  | 'readEvents'
  | 'writeUnderwriting'
  | 'bulkTickets'
  | 'readInternalComments';

const words = (noun: Noun): string =>
  noun
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace('Api', 'API')
    .toLowerCase();

export const permissionCatalogue: readonly { name: Permission; description: string }[] = [
  ...nouns.flatMap((noun) => [
    { name: `read${noun}` as const, description: `List and read ${words(noun)}.` },
    { name: `write${noun}` as const, description: `Create, change and delete ${words(noun)}.` },
  ]),
  { name: 'readNotifications', description: 'Read the caller’s notifications and mark them as read.' },
  { name: 'readEvents', description: 'Read the event log of the account.' },
  { name: 'writeUnderwriting', description: 'Decide on submitted applications.' },
  { name: 'bulkTickets', description: 'Change many tickets in one request.' },
  { name: 'readInternalComments', description: 'Read internal comments on tickets.' },
];

const descriptions = new Map(
  permissionCatalogue.map(({ name, description }) => [name as string, description]),
);

export const allPermissions: readonly Permission[] = permissionCatalogue.map(({ name }) => name);

export const isPermission = (name: string): name is Permission => descriptions.has(name);

/** Returns the read permission that corresponds to a permission. A read permission corresponds to itself. */
export function permissionToRead(permission: Permission): Permission {
  if (permission === 'writeUnderwriting') return 'readApplications';
  if (permission === 'bulkTickets') return 'readTickets';
  const name = permission.replace(/^write/, 'read');
  return isPermission(name) ? name : permission;
}

/** Returns the given permissions with their descriptions, in the order of the catalogue. */
export const describePermissions = (names: readonly string[]) =>
  permissionCatalogue.filter(({ name }) => names.includes(name));
