import { messageQueueNames, messageWords } from '../channels/terms.ts';
import type { Roles } from '../people/roles/schema.ts';
import { storedItems } from '../resources/derived.ts';
import { keyWord } from '../resources/key-word.ts';
import { type Item, isTombstone, recordOf } from '../table/item.ts';
import { readTenantPartition } from '../table/keys.ts';

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

/** Converts the name of a record type in keys to the exported kind. */
const kindOf = (noun: string): string => kindsByNoun.get(noun) ?? noun.toLowerCase();

const kindsByNoun: ReadonlyMap<string, string> = new Map(
  Object.entries(storedItems).map(([type, item]) => [
    keyWord(type),
    typeof item === 'object' ? (item.as ?? type) : type,
  ]),
);

/**
 * The exported records of an item. Empty for tombstones, and for items that are secret, derived or temporary. Throws for
 * an unknown type.
 */
export function exportedRecords(item: Item): ExportedRecord[] {
  const { type } = item;
  const parts = readTenantPartition(item.pk)?.parts ?? [];
  if (isTombstone(item)) return [];
  if (type === 'roles') return rolesIn(item);
  if (type === 'work-item') return workItemIn(item, parts);
  // Items without a type: counters, markers, the subscriber index, and the last use of keys.
  if (type === undefined) return [];
  const known = storedItems[String(type)];
  if (known === undefined)
    throw new Error(`No resource declares the item type ${type}. Add it to a file in shared/resources/.`);
  if (typeof known !== 'object') return [];
  const record = Object.fromEntries(
    Object.entries(recordOf<Record<string, unknown>>(item)).filter(
      ([name]) => !known.without?.includes(name),
    ),
  );
  const parent = parentIn(item, parts);
  return [{ kind: known.as ?? String(type), id: idIn(record, parent.parent), ...parent, record }];
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

/** The exported kinds of work items by the first part of the name of their work queue. The others are internal. */
const kindsOfWorkItems: Readonly<Record<string, string>> = {
  WEBHOOK: 'webhook_delivery',
  ...Object.fromEntries(
    messageQueueNames.map((name) => [name, messageWords[name].words.replaceAll(' ', '_')]),
  ),
  PARTNER: 'partner_request',
  PARTNEREVENTS: 'partner_event',
};

function workItemIn(item: Item, [, name = '', webhook = '']: readonly string[]): ExportedRecord[] {
  // The export contains the mails themselves, with the results of their attempts.
  if (['JOBS', 'RESIDUALS', 'SEALING', 'OUTGOINGMAIL'].includes(name)) return [];
  const kind = kindsOfWorkItems[name];
  if (kind === undefined) throw new Error(`The exported kind of the work queue ${name} is not known.`);
  const { revision: _, ...record } = recordOf<Record<string, unknown>>(item);
  const parent = name === 'WEBHOOK' && { parent: { kind: 'webhook', id: asId(webhook) } };
  return [{ kind, id: String(item.id), ...parent, record }];
}
