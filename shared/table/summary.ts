import { type Item, withFields } from './item.ts';
import type { Key } from './keys.ts';

/** In bytes: a window of 10,000 summaries is 20 MB at most. */
const largestSummary = 2 * 1024;

/**
 * The item of a summary. Throws where the summary is larger than 2 KB or holds anything but plain values: long texts
 * are cut by whoever makes it, because what fits must not depend on what somebody typed.
 */
export function summaryItem(key: Key, type: string, summary: object): Item {
  const nested = Object.entries(summary).find(([, value]) => typeof value === 'object' && value !== null);
  if (nested) throw new Error(`A summary is flat, and its ${nested[0]} is not.`);
  const bytes = Buffer.byteLength(JSON.stringify(summary));
  if (bytes > largestSummary)
    throw new Error(`A summary has at most ${largestSummary} bytes, not ${bytes}: cut its texts.`);
  return withFields({ ...key, type }, summary);
}
