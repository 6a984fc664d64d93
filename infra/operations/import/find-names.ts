import type { Client } from '../../client/client.ts';

/**
 * The kinds of records that a row can refer to by name. For each kind: the path of its list, the field with
 * the id, and the fields with the names.
 */
const named = {
  team: { list: '/teams', id: 'id', names: ['name'] },
  'lead source': { list: '/lead-sources', id: 'id', names: ['name'] },
  user: { list: '/users', id: 'id', names: ['name'] },
  'ticket type': { list: '/ticket-types', id: 'uniqueId', names: ['name'] },
  merchant: { list: '/merchants', id: 'id', names: ['merchantName', 'dba'] },
} as const satisfies Record<string, { list: `/${string}`; id: string; names: readonly string[] }>;
type Named = keyof typeof named;

const fields: Readonly<Record<string, Named>> = {
  teamId: 'team',
  assignedTeamId: 'team',
  leadSourceId: 'lead source',
  assignedTo: 'user',
  ticketTypeId: 'ticket type',
  merchantId: 'merchant',
};
const requesters: Readonly<Record<string, Named>> = {
  user: 'user',
  merchant: 'merchant',
  'merchant-internal': 'merchant',
};

/** Ids and emails are sent unchanged, because the API accepts the id or the email of a user. */
const idOrEmail = /^(?:\d+|tty_\w+)$|@/;

/**
 * Finds the record whose name is the value of `field`. Returns the record's id, or a message if not exactly
 * one record has this name. Returns undefined if `field` does not refer to a record, or contains an id or an
 * email.
 */
export type FindName = (
  field: string,
  body: Readonly<Record<string, unknown>>,
) => Promise<{ id: string } | { message: string } | undefined>;

const comparable = (name: unknown): string => String(name).trim().toLowerCase();

/** Returns a function that finds records by their names, regardless of case. Reads each list once, when it is needed. */
export function findNames(connect: () => Promise<Client>): FindName {
  const lists = new Map<Named, Promise<Map<string, Set<string>>>>();
  const idsByName = (kind: Named) => {
    const reading = lists.get(kind) ?? readNames(connect, kind);
    lists.set(kind, reading);
    return reading;
  };
  return async (field, body) => {
    const name = body[field];
    const kind = field === 'requesterId' ? requesters[String(body.requesterType)] : fields[field];
    if (kind === undefined || typeof name !== 'string' || idOrEmail.test(name)) return undefined;
    const [id, another] = (await idsByName(kind)).get(comparable(name)) ?? [];
    if (id === undefined) return { message: `no ${kind} has the name "${name}"` };
    if (another !== undefined) return { message: `several ${kind}s have the name "${name}", so use the id` };
    return { id };
  };
}

/** The ids of all records of a kind, by name. */
async function readNames(connect: () => Promise<Client>, kind: Named): Promise<Map<string, Set<string>>> {
  const { list, id, names } = named[kind];
  const ids = new Map<string, Set<string>>();
  const client = await connect();
  for await (const record of client.list(list, { params: { query: { pageSize: 100 } } })) {
    const values = record as Record<string, unknown>;
    for (const name of names
      .map((field) => values[field])
      .filter(Boolean)
      .map(comparable))
      ids.set(name, (ids.get(name) ?? new Set()).add(String(values[id])));
  }
  return ids;
}
