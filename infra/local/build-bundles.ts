import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { progressBar } from '../administration/progress-bar.ts';
import { build } from '../build/build.ts';
import { root } from '../build/endpoints.ts';

/**
 * Builds the bundles for one process into a folder, which is the argument. Runs in its own process, because the bundler
 * needs 150 MB that the local service would keep.
 */
process.once('disconnect', () => process.exit(1));
const [scratch = ''] = process.argv.slice(2);
let bar: ReturnType<typeof progressBar> | undefined;
const onFunction = (total: number) => {
  if (!bar) console.log(`Building ${total} functions. The next start uses the same build.`);
  bar ??= progressBar('Functions', total);
  bar.advance();
};
const manifest = await build(scratch, { oneProcess: true, onFunction }).finally(() => bar?.end());
writeFileSync(join(root, scratch, 'manifest.json'), JSON.stringify(manifest));
process.exit();
