import { SourceMap, type SourceMapPayload } from 'node:module';
import { join, relative } from 'node:path';

/**
 * A stack trace from the log of a function, its places in the bundle replaced by those in the sources, relative to the root;
 * what the map does not know stays. `folder` is the function's, relative to the root, from which the map's sources are named.
 */
export function translateStack(stack: string, map: SourceMapPayload, folder: string): string {
  const places = new SourceMap(map);
  return stack.replaceAll(/(?:file:\/\/)?[^\s()]*\bindex\.cjs:(\d+):(\d+)/g, (place, line, column) => {
    const found = places.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in found)) return place;
    const source = relative('.', join(folder, found.originalSource));
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}
