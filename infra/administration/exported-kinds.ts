import type { Roles } from '../../shared/people/roles/schema.ts';
import { type Item, isTombstone, recordOf } from '../../shared/table/item.ts';
import { readTenantPartition } from '../../shared/table/keys.ts';

export interface ExportedRecord {
  /** For example `lead` or `ticket_comment`. */
  kind: string;
  id: number | string;
  parent?: { kind: string; id: number | string };
  /** The stored attributes except keys, index attributes and secrets. */
  record: Readonly<Record<string, unknown>>;
  /** The path of a document's exported file within the folder of files. */
  file?: string;
}

interface Exported {
  as: string;
  /** Fields that are secrets or hashes of secrets. */
  without?: readonly string[];
}

/**
 * The exported item types. The types `roles` and `work-item` are missing here, because other functions
 * export them. The export fails for any other type that is neither in this list nor in `notExported`.
 */
const exported: Readonly<Record<string, Exported>> = {
  account: { as: 'account' },
  'sla-policy': { as: 'sla_policy' },
  member: { as: 'user' },
  team: { as: 'team' },
  lead: { as: 'lead' },
  leadsource: { as: 'lead_source' },
  leadrotation: { as: 'lead_rotation' },
  application: { as: 'application', without: ['appKey'] },
  merchant: { as: 'merchant' },
  mid: { as: 'mid' },
  note: { as: 'note' },
  equipment: { as: 'equipment' },
  document: { as: 'document' },
  lookup: { as: 'lookup' },
  ticket: { as: 'ticket' },
  'ticket-comment': { as: 'ticket_comment' },
  'clock-entry': { as: 'ticket_clock_entry' },
  tickettype: { as: 'ticket_type' },
  tickettypemapping: { as: 'ticket_type_mapping' },
  ticketrotation: { as: 'ticket_rotation' },
  apikey: { as: 'api_key', without: ['secretHash', 'sessionEpoch'] },
  webhook: { as: 'webhook', without: ['secrets'] },
  'webhook-health': { as: 'webhook_health' },
  notification: { as: 'notification' },
  /** The read position of an inbox. */
  inbox: { as: 'inbox' },
  event: { as: 'event' },
  audit: { as: 'audit_entry' },
  seal: { as: 'seal' },
};

/** All kinds in an export. */
export const exportedKinds: readonly string[] = [
  ...Object.values(exported).map(({ as }) => as),
  'role',
  'webhook_delivery',
  'mail',
  'text_message',
];

/** Item types that are not exported, with the reason. */
const notExported: Readonly<Record<string, 'secret' | 'derived' | 'temporary'>> = {
  /** Contains the password hash, and notification rules for several accounts. The membership is exported instead. */
  user: 'secret',
  session: 'secret',
  'app-key': 'secret',
  'data-keys': 'secret',
  idempotency: 'temporary',
  'application-summary': 'derived',
  'merchant-summary': 'derived',
  'ticket-summary': 'derived',
  'child-totals': 'derived',
  collision: 'derived',
  'mid-number': 'derived',
  'ticket-number': 'derived',
  'partner-category': 'derived',
  'seal-head': 'derived',
  'seal-leaves': 'derived',
  administrator: 'derived',
  'subscriber-marker': 'derived',
  'subscriber-rows': 'derived',
  arrival: 'derived',
  'work-queue': 'temporary',
  'work-item-pointer': 'temporary',
  'bulk-change': 'temporary',
  'digest-row': 'temporary',
  'digest-arrival': 'temporary',
  'digest-closed': 'temporary',
  trigger: 'temporary',
};

/**
 * Returns the attributes of an item type that are secrets or hashes of secrets. Returns `all` if the whole
 * item is secret, and `unknown` if the type is neither in `exported` nor in `notExported`.
 */
export function secretsOf(type: string): readonly string[] | 'all' | 'unknown' {
  if (notExported[type] === 'secret') return 'all';
  return exported[type] ? (exported[type].without ?? []) : notExported[type] ? [] : 'unknown';
}

/** Converts the kind in a record's key to the exported kind. */
const kindOf = (noun: string): string => exported[noun.toLowerCase()]?.as ?? noun.toLowerCase();

/** The exported records of an item. Empty for tombstones and types in `notExported`. Throws for an unknown type. */
export function exportedRecords(item: Item): ExportedRecord[] {
  const { type } = item;
  const parts = readTenantPartition(item.pk)?.parts ?? [];
  if (isTombstone(item)) return [];
  if (type === 'roles') return rolesIn(item);
  if (type === 'work-item') return workItemIn(item, parts);
  // Items without a type: counters, markers, the subscriber index, and the last use of keys.
  if (type === undefined) return [];
  const known = exported[String(type)];
  if (!known) {
    if (notExported[String(type)]) return [];
    throw new Error(`Unknown item type ${type}. Add it to infra/administration/exported-kinds.ts.`);
  }
  const record = Object.fromEntries(
    Object.entries(recordOf<Record<string, unknown>>(item)).filter(
      ([name]) => !known.without?.includes(name),
    ),
  );
  const parent = parentIn(item, parts);
  return [{ kind: known.as, id: idIn(record, parent.parent), ...parent, record }];
}

/** Derives the parent of a child record from the record's keys. */
function parentIn({ type, sk }: Item, parts: readonly string[]): Pick<ExportedRecord, 'parent'> {
  const [noun = '', id = ''] = parts;
  if (type === 'notification' || type === 'inbox') return { parent: { kind: 'user', id: asId(id) } };
  if (type === 'webhook-health') return { parent: { kind: 'webhook', id: asId(sk.split('#')[0] ?? '') } };
  return type === 'audit' || parts.length === 3 ? { parent: { kind: kindOf(noun), id: asId(id) } } : {};
}

/**
 * Returns the id of a record. Inboxes and the health of webhooks have no id of their own, so for these records,
 * returns the parent's id.
 */
const idIn = (
  { id, number, n }: Record<string, unknown>,
  parent: ExportedRecord['parent'],
): number | string => {
  const found = id ?? number ?? n ?? parent?.id;
  return typeof found === 'number' || typeof found === 'string' ? found : '';
};

/** Converts an id from its form in a key. Keys contain numeric ids as 16 digits, with leading zeros. */
const asId = (text: string): number | string => (/^\d{16}$/.test(text) ? Number(text) : text);

/** All roles of an account are stored in one item. */
const rolesIn = (item: Item): ExportedRecord[] =>
  Object.values(recordOf<Roles>(item).roles).map((role) => ({ kind: 'role', id: role.id, record: role }));

/** Webhook deliveries, mails and text messages. Jobs are internal. */
function workItemIn(item: Item, [, name = '', webhook = '']: readonly string[]): ExportedRecord[] {
  if (name === 'JOBS') return [];
  const kind = name === 'WEBHOOK' ? 'webhook_delivery' : name === 'MAIL' ? 'mail' : 'text_message';
  const { revision: _, ...record } = recordOf<Record<string, unknown>>(item);
  const parent = name === 'WEBHOOK' && { parent: { kind: 'webhook', id: asId(webhook) } };
  return [{ kind, id: String(item.id), ...parent, record }];
}
