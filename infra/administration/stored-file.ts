import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { CannotStart } from './cannot-start.ts';

/** Returns undefined if the file does not exist. Throws CannotStart if the file cannot be read. */
export function readStored(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CannotStart(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

interface Content<T> {
  /** Throws, or returns undefined, if the text is not valid. */
  parse: (text: string) => T | undefined;
  /** The error message for a text that is not valid. */
  damaged: string;
}

/** Returns undefined if the file does not exist. Throws CannotStart if its content is not valid. */
export function parseStored<T>(path: string, { parse, damaged }: Content<T>): T | undefined {
  const text = readStored(path);
  if (text === undefined) return undefined;
  try {
    const value = parse(text);
    if (value !== undefined) return value;
  } catch {}
  throw new CannotStart(damaged);
}

/** Creates the file if it does not exist. Throws CannotStart if the content of an existing file is not valid. */
export function requireStored(
  path: string,
  { create, ...content }: Content<unknown> & { create: () => string },
): void {
  if (parseStored(path, content) === undefined) writeStored(path, create());
}

/**
 * Replaces a file atomically: a crash leaves the old or the new content. Only the owner may read the file. Removes the
 * temporary file of an earlier crash, also if it is a link, so that no link is followed.
 */
export function writeStored(path: string, content: string | Buffer): void {
  rmSync(`${path}.tmp`, { force: true });
  writeFileSync(`${path}.tmp`, content, { mode: 0o600, flag: 'wx' });
  renameSync(`${path}.tmp`, path);
}
