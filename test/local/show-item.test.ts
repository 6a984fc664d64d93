import { beforeAll, expect, test } from 'vitest';
import { accessPatterns } from '../../infra/local/console/access-patterns.ts';
import { showItem } from '../../infra/local/console/show-item.ts';
import { tableDefinition } from '../../shared/table/definition.ts';
import type { Item } from '../../shared/table/item.ts';
import { canaries } from '../harness/filled-application.ts';
import { scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { fillAccount } from '../operations/filled-account.ts';

let items: Item[];

beforeAll(async () => {
  await fillAccount(await tenant(), 'text of the test');
  items = await scanTable();
});

/** All texts in a value. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

test('the console shows no encrypted value, no password hash and no other secret of an item', () => {
  const secrets = items.flatMap((item) =>
    Object.entries(item).flatMap(([name, value]) =>
      /^(passwordHash|secretHash|secrets|appKey|wrapped)$/.test(name) ? textsIn(value) : [],
    ),
  );
  const encrypted = items
    .flatMap(textsIn)
    .filter((text) => /^eyJ[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/.test(text));
  expect(secrets.length).toBeGreaterThan(3);
  expect(encrypted.length).toBeGreaterThan(5);
  const shown = JSON.stringify(items.map(showItem));
  for (const secret of [...secrets, ...encrypted, ...Object.values(canaries)])
    expect(shown).not.toContain(secret);
  expect(shown).toMatch(/encrypted, \d+ bytes/);
});

test('each item of a filled account matches an access pattern in shared/table/README.md', () => {
  const patterns = accessPatterns();
  const nouns = new Set(items.filter(({ sk }) => sk === 'RECORD').map(({ pk }) => pk.split('#')[2] ?? ''));
  const matchesPart = (part: string, given: string | undefined) => {
    if (part === 'NOUN') return nouns.has(given ?? '');
    return /^[A-Z_]+$/.test(part) && part !== 'KIND' ? part === given : given !== undefined;
  };
  const matches = (pk: string, index: string | undefined) => {
    const [first, account, ...rest] = pk.split('#');
    const shared = first !== 'ACCOUNT';
    const parts = shared ? pk.split('#') : rest;
    return patterns.some(
      (pattern) =>
        pattern.index === index &&
        pattern.shared === shared &&
        (shared || account !== undefined) &&
        // The last variable can consist of several parts, such as the name of a work queue.
        pattern.partition.every((part, n) => matchesPart(part, parts[n])) &&
        (pattern.partition.length === parts.length || /[a-z]/.test(pattern.partition.at(-1) ?? '')),
    );
  };
  const unmatched = items.flatMap((item) => [
    ...(matches(item.pk, undefined) ? [] : [item.pk]),
    ...tableDefinition.indexes.flatMap(({ name, partitionKey }) => {
      const pk = item[partitionKey];
      return typeof pk === 'string' && !matches(pk, name) ? [pk] : [];
    }),
  ]);
  expect(unmatched).toEqual([]);
});

test('an item’s size is the sum of its names and values, and its index keys are listed', () => {
  const item = {
    pk: 'ACCOUNT#acme',
    sk: 'ACCOUNT',
    listPk: 'L',
    listSk: '1',
    name: 'Ümit',
    count: 12345,
    flags: [true, null],
    more: { a: 'b' },
  };
  const shown = showItem(item);
  expect(shown.attributes.map(({ name, size }) => [name, size])).toEqual([
    ['name', 4 + 5],
    ['count', 5 + 4],
    ['flags', 5 + 3 + 2 + 2],
    ['more', 4 + 3 + 1 + 2],
  ]);
  expect(shown.size).toBe(9 + 9 + 12 + 10 + (2 + 12) + (2 + 7) + (6 + 1) + (6 + 1));
  expect(shown.indexes).toEqual([{ index: 'list', pk: 'L', sk: '1' }]);
});
