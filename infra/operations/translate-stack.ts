import { SourceMap, type SourceMapPayload } from 'node:module';
import { join, relative } from 'node:path';

/**
 * Replaces the bundle locations in a stack trace by source locations, relative to the working directory. Keeps
 * locations that are not in the map. The paths in the map are relative to `folder`, the function's build folder.
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
