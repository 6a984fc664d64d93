import type { Roles } from '../../shared/people/roles/schema.ts';
import { type Item, isTombstone, recordOf } from '../../shared/table/item.ts';
import { readTenantPartition } from '../../shared/table/keys.ts';

/** A record of an account, as an export has it. */
export interface ExportedRecord {
  /** Such as `lead` or `ticket_comment`. */
  kind: string;
  id: number | string;
  /** The record that it hangs on. */
  parent?: { kind: string; id: number | string };
  /** As it is stored, without keys, indexes and secrets. */
  record: Readonly<Record<string, unknown>>;
  /** Of a document whose file was fetched: its path within the folder of files. */
  file?: string;
}

/** How items of a type are exported: under which name, and without which fields, which are secrets or hashes of them. */
interface Exported {
  as: string;
  without?: readonly string[];
}

/** By the type of the item. A type that is neither here nor below stops an export: nothing is left out by accident. */
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
  /** Up to where all of an inbox is read. */
  inbox: { as: 'inbox' },
  event: { as: 'event' },
  audit: { as: 'audit_entry' },
  seal: { as: 'seal' },
};

/** Why items of a type are in no export. */
const leftOut: Readonly<Record<string, 'secret' | 'follows from others' | 'passes'>> = {
  /** The person itself, with its password and its notification rules, of several accounts: this one sees it by its membership. */
  user: 'secret',
  session: 'secret',
  'app-key': 'secret',
  data_keys: 'secret',
  idempotency: 'passes',
  'application-summary': 'follows from others',
  'merchant-summary': 'follows from others',
  'ticket-summary': 'follows from others',
  'child-totals': 'follows from others',
  collision: 'follows from others',
  'mid-number': 'follows from others',
  'ticket-number': 'follows from others',
  'partner-category': 'follows from others',
  'seal-head': 'follows from others',
  'seal-leaves': 'follows from others',
  administrator: 'follows from others',
  'audience-marker': 'follows from others',
  'audience-rows': 'follows from others',
  arrival: 'follows from others',
  backlog: 'passes',
  'backlog-pointer': 'passes',
  'bulk-change': 'passes',
  'digest-row': 'passes',
  'digest-arrival': 'passes',
  'digest-closed': 'passes',
  wake: 'passes',
};

/** A record whose name in the table is not that in an export. */
const nameOf = (noun: string): string => exported[noun.toLowerCase()]?.as ?? noun.toLowerCase();

/**
 * What an export has of an item of an account; nothing of secrets, of what follows from other items or passes by itself, and
 * of tombstones. Throws for an item of a type that it does not know.
 */
export function exportedRecords(item: Item): ExportedRecord[] {
  const { type } = item;
  const parts = readTenantPartition(item.pk)?.parts ?? [];
  if (isTombstone(item)) return [];
  if (type === 'roles') return rolesIn(item);
  if (type === 'backlog-entry') return entryIn(item, parts);
  // Counters, markers, rows of audiences, and when a key was last used.
  if (type === undefined) return [];
  const known = exported[String(type)];
  if (!known) {
    if (leftOut[String(type)]) return [];
    throw new Error(
      `An item has the type ${type}, which is not listed. Add it to infra/operations/exported-kinds.ts.`,
    );
  }
  const record = Object.fromEntries(
    Object.entries(recordOf<Record<string, unknown>>(item)).filter(
      ([name]) => !known.without?.includes(name),
    ),
  );
  const hanging = parentIn(item, parts);
  return [{ kind: known.as, id: idIn(record, hanging.parent), ...hanging, record }];
}

/** By the kinds of records that hang on others: where in the partition or the item these are named. */
function parentIn({ type, sk }: Item, parts: readonly string[]): Pick<ExportedRecord, 'parent'> {
  const [noun = '', id = ''] = parts;
  if (type === 'notification' || type === 'inbox') return { parent: { kind: 'user', id: asId(id) } };
  if (type === 'webhook-health') return { parent: { kind: 'webhook', id: asId(sk.split('#')[0] ?? '') } };
  return type === 'audit' || parts.length === 3 ? { parent: { kind: nameOf(noun), id: asId(id) } } : {};
}

/** Of an inbox and of a webhook's health there is one each, by what it is of. */
const idIn = (
  { id, number, n }: Record<string, unknown>,
  parent: ExportedRecord['parent'],
): number | string => {
  const found = id ?? number ?? n ?? parent?.id;
  return typeof found === 'number' || typeof found === 'string' ? found : '';
};

/** Ids are padded in keys. */
const asId = (text: string): number | string => (/^\d{16}$/.test(text) ? Number(text) : text);

/** All roles of an account are one item. */
const rolesIn = (item: Item): ExportedRecord[] =>
  Object.values(recordOf<Roles>(item).roles).map((role) => ({ kind: 'role', id: role.id, record: role }));

/** What left, or is to leave, the service. Jobs are its own. */
function entryIn(item: Item, [, name = '', webhook = '']: readonly string[]): ExportedRecord[] {
  if (name === 'JOBS') return [];
  const kind = name === 'WEBHOOK' ? 'webhook_delivery' : name === 'MAIL' ? 'mail' : 'text_message';
  const { revision: _, ...record } = recordOf<Record<string, unknown>>(item);
  const parent = name === 'WEBHOOK' && { parent: { kind: 'webhook', id: asId(webhook) } };
  return [{ kind, id: String(item.id), ...parent, record }];
}
