import type { Event } from '../../shared/events/envelope.ts';
import { type Parent, parents } from '../../shared/resources/derived.ts';
import { isTombstone } from '../../shared/table/item.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { getItem } from '../../shared/table/read.ts';

/** Returns the record type and the kinds of children of a deleted record. Throws if the record was not deleted. */
export async function deletedParent({ accountId, kind, subject: { type, id } }: Event): Promise<Parent> {
  const parent = parents[type];
  if (!parent) throw new Error(`${kind} is about a ${type}, which has no children.`);
  const record = await getItem(recordKey(accountId, parent.noun, id));
  if (!record || !isTombstone(record)) throw new Error(`${kind}: the ${type} ${id} was not deleted.`);
  return parent;
}
