import { type Item, withFields } from './item.ts';
import type { Key } from './keys.ts';

/** In bytes, unless a noun says otherwise: a window of 10,000 summaries is 20 MB at most. */
const usualLimit = 2 * 1024;

/**
 * The item of a summary. Throws where the summary is larger than `largest`: long texts are cut by whoever makes it,
 * because what fits must not depend on what somebody typed.
 */
export function summaryItem(key: Key, type: string, summary: object, largest = usualLimit): Item {
  const bytes = Buffer.byteLength(JSON.stringify(summary));
  if (bytes > largest)
    throw new Error(`A summary has at most ${largest} bytes, not ${bytes}: cut its texts.`);
  return withFields({ ...key, type }, summary);
}
