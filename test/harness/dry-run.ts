import { expect } from 'vitest';
import type { AnyContract, Endpoint, StaticOf } from '../../shared/endpoints/endpoint.ts';
import type { Item } from '../../shared/table/item.ts';
import type { Sent } from './call.ts';
import { scanTable, storedEvents } from './raw-table.ts';
import type { Tenant } from './tenant.ts';

async function wholeTable(): Promise<Item[]> {
  const items = await scanTable();
  return items.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

const placeOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/** Replaces generated ids, keys and times, so that a dry run can be compared with the real request. */
const masked = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, inner) => (name === 'appKey' ? undefined : inner))
      .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'a time')
      .replaceAll(/"(app|own)_[0-9A-Z]+"/g, '"$1"')
      .replaceAll(/\b\d{14,16}\b/g, '0'),
  );

/** The records in the table by primary key. */
const recordsIn = (items: readonly Item[]) =>
  new Map(items.filter(({ sk }) => sk === 'RECORD').map((item) => [placeOf(item), item]));

/**
 * Checks that a dry run changes nothing in the table. Then checks that the real request has the same response, events
 * and changes as the dry run, except for ids and times. Returns the response of the real request.
 */
export async function expectTrueDryRun<C extends AnyContract>(
  endpoint: Endpoint<C>,
  { accountId, admin }: Tenant,
  sent: Sent<C>,
): Promise<StaticOf<C, 'response'>> {
  const [before, told] = [await wholeTable(), (await storedEvents(accountId)).length];
  const dry = await admin.dryRun(endpoint, sent);
  expect(await wholeTable()).toEqual(before);
  const real = await admin.ok(endpoint, sent);
  expect(masked(dry.answer)).toEqual(masked(real));
  const events = (await storedEvents(accountId))
    .slice(told)
    .map(({ kind, subject, data }) => ({ kind, subject, data }));
  expect(masked(dry.events)).toEqual(masked(events));
  const [then, now] = [recordsIn(before), recordsIn(await wholeTable())];
  const changes = [...now].flatMap(([place, { type, id, version }]) => {
    const known = then.get(place);
    if (known?.version === version) return [];
    return [{ type, id, action: known ? 'updated' : 'created' }];
  });
  expect(masked([...dry.changes].sort(byType))).toEqual(masked(changes.sort(byType)));
  return real;
}

const byType = (one: { type?: unknown }, other: { type?: unknown }) =>
  String(one.type) < String(other.type) ? -1 : 1;
