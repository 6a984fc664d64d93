import { presignDownload } from '../documents/bucket.ts';
import type { Static } from '../schema.ts';
import type { AccountExport } from './schema.ts';
import type { Closing } from './store.ts';

/** The validity of a link to a part, in seconds. */
const linkSeconds = 15 * 60;

/** Returns the export of a closed account as in the API, with links that are valid for 15 minutes. */
export async function showExport(
  { account, erasesAt, export: { parts, counts, sha256 } }: Closing,
  now: Date,
): Promise<Static<typeof AccountExport>> {
  if (sha256 === undefined) return { status: 'preparing', availableUntil: erasesAt, parts: [] };
  const links = await Promise.all(
    parts.map(async ({ key, size }, n) => {
      const file = { fileName: `${account}-${n + 1}.jsonl`, contentType: 'application/x-ndjson' };
      return { size, ...(await presignDownload(key, file, { now, seconds: linkSeconds })) };
    }),
  );
  return { status: 'ready', availableUntil: erasesAt, counts, sha256, parts: links };
}
