/** Endpoints that the reference shows together. */
interface Group {
  name: string;
  description: string;
  /** The first segments of its paths. */
  segments: readonly string[];
}

/** In the order of the reference. A resource without a line gets a group of its own name; see `groupOf`. */
export const groups: readonly Group[] = [
  {
    name: 'API keys',
    description: 'Machine credentials of an account. The secret is shown once, when the key is created.',
    segments: ['apikeys'],
  },
  {
    name: 'Authentication',
    description: 'Signing in with an API key or an email address, and the passwords of users.',
    segments: ['auth'],
  },
  {
    name: 'Leads',
    description: 'Potential customers, from first contact to conversion.',
    segments: ['leads'],
  },
  { name: 'Lead sources', description: 'Where leads come from.', segments: ['lead-sources'] },
  {
    name: 'Lead rotations',
    description: 'Weighted round-robin rotations that assign new leads to users.',
    segments: ['lead-rotations'],
  },
  {
    name: 'Lookup values',
    description: 'Option lists, keyed by table and field.',
    segments: ['lookup'],
  },
  {
    name: 'Applications',
    description: 'Merchant applications with their documents, from the first draft to the decision.',
    segments: ['applications'],
  },
  {
    name: 'Notifications',
    description: 'What happened that the caller asked to hear of.',
    segments: ['notifications'],
  },
  {
    name: 'Tickets',
    description: 'Support tickets, their comments and their SLA clocks.',
    segments: ['tickets'],
  },
  {
    name: 'Ticket types',
    description: 'Kinds of tickets and their custom fields.',
    segments: ['ticket-types'],
  },
  {
    name: 'Ticket rotations',
    description: 'Weighted round-robin rotations that assign new tickets to users.',
    segments: ['ticket-rotations'],
  },
  {
    name: 'Users',
    description: 'People, and what each may do in an account.',
    segments: ['users'],
  },
  { name: 'Teams', description: 'Groups of users that leads and tickets belong to.', segments: ['teams'] },
  {
    name: 'Roles and permissions',
    description: 'Named sets of permissions, and the closed catalogue of permissions.',
    segments: ['roles', 'permissions'],
  },
  { name: 'Accounts', description: 'The tenants that every record belongs to.', segments: ['accounts'] },
  {
    name: 'Merchants',
    description: 'Merchants with their principals, banking, rates, risk, equipment, notes and documents.',
    segments: ['merchants'],
  },
  {
    name: 'Webhooks',
    description: 'Subscriptions to events, delivered as signed requests by Standard Webhooks.',
    segments: ['webhooks'],
  },
  {
    name: 'Partner integration',
    description: 'How the categories of a partner map to ticket types.',
    segments: ['integrations'],
  },
  {
    name: 'Events',
    description: 'The log of everything that happened in an account, and the closed catalogue of its kinds.',
    segments: ['events', 'event-kinds'],
  },
  {
    name: 'Service',
    description: 'The service itself: its health, this document and the reference made from it.',
    segments: ['health', 'openapi.json', 'docs', 'service'],
  },
];

const derived = new Map<string, Group>();

/** The group of a path. A resource without a line above is a group of its own name, after all others. */
export function groupOf(path: string): Group {
  const segment = path.split('/')[1] ?? '';
  const words = segment.replaceAll('-', ' ');
  const group = groups.find(({ segments }) => segments.includes(segment)) ??
    derived.get(segment) ?? {
      name: words.charAt(0).toUpperCase() + words.slice(1),
      description: `Endpoints below /${segment}.`,
      segments: [segment],
    };
  if (!groups.includes(group)) derived.set(segment, group);
  return group;
}

/** Where a group stands among all. */
export const rankOf = (group: Group): number =>
  groups.includes(group) ? groups.indexOf(group) : groups.length;
