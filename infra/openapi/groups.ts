interface Group {
  name: string;
  description: string;
  /** The first segments of its paths. */
  segments: readonly string[];
}

const group = (name: string, description: string, ...segments: string[]): Group => ({
  name,
  description,
  segments,
});

/** In the order of the reference. */
export const groups: readonly Group[] = [
  group('API keys', 'Machine credentials. The secret is shown only when a key is created.', 'apikeys'),
  group('Authentication', 'Sign-in with an API key or an email address, and passwords.', 'auth'),
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
  group('Teams', 'Groups of users that leads and tickets belong to.', 'teams'),
  group('Roles and permissions', 'Named sets of permissions, and all permissions.', 'roles', 'permissions'),
  group('Accounts', 'The tenants that every record belongs to.', 'accounts'),
  group(
    'Merchants',
    'Merchants with their principals, banking, rates, risk, equipment, notes and documents.',
    'merchants',
  ),
  group('Webhooks', 'Event subscriptions, delivered as signed requests (Standard Webhooks).', 'webhooks'),
  group('Partner integration', 'The mapping of partner categories to ticket types.', 'integrations'),
  group('Events', 'The log of all events of an account, and all event kinds.', 'events', 'event-kinds'),
  group('Service', 'Health, this document, and the reference.', 'health', 'openapi.json', 'docs', 'service'),
];

const derived = new Map<string, Group>();

/** The group of a path. A resource that no group lists gets its own group, after all others. */
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
