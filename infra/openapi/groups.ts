interface Group {
  name: string;
  description: string;
  /** The first path segments of the group's endpoints. */
  segments: readonly string[];
}

const group = (name: string, description: string, ...segments: string[]): Group => ({
  name,
  description,
  segments,
});

/** All groups, in the order of the API reference. */
export const groups: readonly Group[] = [
  group('API keys', 'Machine credentials. The secret is shown only when a key is created.', 'apikeys'),
  group('Authentication', 'Sign-in, sign-out, and password changes.', 'auth'),
  group('Leads', 'Potential customers, from first contact to conversion.', 'leads'),
  group('Lead sources', 'The origins of leads.', 'lead-sources'),
  group('Lead rotations', 'Weighted round-robin assignment of new leads to users.', 'lead-rotations'),
  group('Lookup values', 'Option lists, keyed by table and field.', 'lookup'),
  group('Applications', 'Merchant applications and documents, from draft to decision.', 'applications'),
  group('Notifications', 'Events that the caller has subscribed to.', 'notifications'),
  group('Tickets', 'Support tickets, their comments and their SLA clocks.', 'tickets'),
  group('Ticket types', 'Kinds of tickets and their custom fields.', 'ticket-types'),
  group('Ticket rotations', 'Weighted round-robin assignment of new tickets to users.', 'ticket-rotations'),
  group('Users', 'People, and their roles and permissions in an account.', 'users'),
  group(
    'Reassignments',
    'Background jobs that reassign the leads and open tickets of users who left or are not active.',
    'reassignments',
  ),
  group('Teams', 'User groups to which leads and tickets belong.', 'teams'),
  group('Roles and permissions', 'Roles (sets of permissions), and all permissions.', 'roles', 'permissions'),
  group('Accounts', 'Tenants. Every record belongs to one account.', 'accounts'),
  group(
    'Merchants',
    'Merchants with their principals, banking, rates, risk, equipment, notes and documents.',
    'merchants',
  ),
  group('Webhooks', 'Event subscriptions, delivered as signed requests (Standard Webhooks).', 'webhooks'),
  group('Partner integration', 'The mapping of partner categories to ticket types.', 'integrations'),
  group('Events', 'The log of all events of an account, and all event kinds.', 'events', 'event-kinds'),
  group('Service', 'Health, API reference, and this document.', 'health', 'openapi.json', 'docs', 'service'),
];

const derived = new Map<string, Group>();

/** Returns the group of a path. A path that no group lists gets its own group after the listed groups. */
export function groupOf(path: string): Group {
  const segment = path.split('/')[1] ?? '';
  const listed = groups.find(({ segments }) => segments.includes(segment)) ?? derived.get(segment);
  if (listed) return listed;
  const words = segment.replaceAll('-', ' ');
  const own = group(words.charAt(0).toUpperCase() + words.slice(1), `Endpoints below /${segment}.`, segment);
  derived.set(segment, own);
  return own;
}

/** The position of a group in the reference. */
export const rankOf = (one: Group): number => (groups.includes(one) ? groups.indexOf(one) : groups.length);
