import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Published } from './compatibility.ts';

/** The published document. It is compressed, because it has half a million characters that nobody reads. */
const file = join(import.meta.dirname, 'published.json.gz');

export const readPublished = (): Published => JSON.parse(gunzipSync(readFileSync(file)).toString());

export const writePublished = (published: Published): void =>
  writeFileSync(file, gzipSync(JSON.stringify(published), { level: 9 }));
