import type { Item } from './item.ts';
import { currentReads, nameOf, type Reads } from './read.ts';

/** Caches reads, so that several decisions use the same state of the table. `readItems` reads the items. */
export function rememberedReads(readItems = currentReads.getItems): Reads {
  const items = new Map<string, Promise<Item | undefined>>();
  const queries = new Map<string, Promise<Item[]>>();

  const getItems: Reads['getItems'] = (keys) => {
    const unread = keys.filter((key) => !items.has(nameOf(key)));
    const reading = readItems(unread);
    for (const [index, key] of unread.entries())
      items.set(
        nameOf(key),
        reading.then((found) => found[index]),
      );
    return Promise.all(keys.map((key) => items.get(nameOf(key))));
  };

  return {
    getItems,
    getItem: async (key) => (await getItems([key]))[0],
    queryItems(query) {
      const name = JSON.stringify(query);
      const reading = queries.get(name) ?? currentReads.queryItems(query);
      queries.set(name, reading);
      return reading;
    },
  };
}
