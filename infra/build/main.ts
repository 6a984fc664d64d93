import '../quiet-sdk.ts';
import { build } from './build.ts';
import { functionsFolder } from './source-maps.ts';

/** `npm run build`: bundles all functions and lists them by size. */
const { endpoints, relay, consumers, schedules } = await build(functionsFolder, { maps: true });
for (const { folder, bytes } of [...endpoints, relay, ...consumers, ...schedules].sort(
  (one, other) => other.bytes - one.bytes,
))
  console.log(`${String(Math.round(bytes / 1024)).padStart(6)} KB  ${folder}`);
