import { type Item, withFields } from './item.ts';
import type { Key } from './keys.ts';

/** In bytes, by default: a window of 10,000 summaries is at most 20 MB. */
const usualLimit = 2 * 1024;

/**
 * The item of a summary. Throws if it is too large. The caller must shorten texts, because users can enter any length.
 */
export function summaryItem(key: Key, type: string, summary: object, largest = usualLimit): Item {
  const bytes = Buffer.byteLength(JSON.stringify(summary));
  if (bytes > largest) throw new Error(`A summary of ${bytes} bytes exceeds the limit of ${largest} bytes.`);
  return withFields({ ...key, type }, summary);
}
