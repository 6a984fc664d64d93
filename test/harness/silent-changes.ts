import type { Event } from '../../shared/events/envelope.ts';
import { searchedRecord } from '../../shared/events/subject.ts';
import { searchedNouns } from '../../shared/resources/derived.ts';
import { type Attributes, itemOf } from '../../shared/table/attributes.ts';
import { recordOf } from '../../shared/table/item.ts';
import { idText, readTenantPartition } from '../../shared/table/keys.ts';
import { type WireRequest, watchWire } from './wire.ts';

const typeOfNoun = new Map<string | undefined, string>(
  Object.entries(searchedNouns).map(([type, noun]) => [noun, type]),
);

/** Returns the items that a request puts. */
function putsIn({ operation, input }: WireRequest): Attributes[] {
  if (operation === 'PutItem') return [input.Item as Attributes];
  if (operation !== 'TransactWriteItems') return [];
  const operations = input.TransactItems as { Put?: { Item: Attributes } }[];
  return operations.flatMap(({ Put }) => (Put ? [Put.Item] : []));
}

/** Returns the name of a record that a request changes without an event that `updatedAfter` can find. */
function silentChange(request: WireRequest): string | undefined {
  const items = putsIn(request).map(itemOf);
  const events = items.filter(({ type }) => type === 'event').map((item) => recordOf<Event>(item));
  for (const { pk, sk, updatedAt } of items) {
    const [noun, id] = readTenantPartition(pk)?.parts ?? [];
    const type = typeOfNoun.get(noun);
    // A tombstone has no `updatedAt`.
    if (sk !== 'RECORD' || !type || updatedAt === undefined) continue;
    const isAbout = (event: Event): boolean => {
      const record = searchedRecord(event);
      return record?.type === type && idText(record.id) === id && event.occurredAt >= String(updatedAt);
    };
    if (!events.some(isAbout)) return `${type} ${id}`;
  }
  return undefined;
}

/**
 * Rejects every change of a lead, application, merchant or ticket by one of our functions, unless its transaction has an
 * event about the record that is not older than `updatedAt`. Lists with `updatedAfter` find changes by these events.
 */
export const rejectSilentChanges = (): (() => void) =>
  watchWire({
    refuse(request) {
      const changed = request.invocation && silentChange(request);
      return changed && `The change of ${changed} must have an event in the same transaction.`;
    },
  });
