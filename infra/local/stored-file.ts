import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { CannotStart } from './cannot-start.ts';

/** The text of a file, or undefined where there is none. Throws CannotStart where it cannot be read. */
export function readStored(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CannotStart(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** A file that a start needs: what is in a new one, and how it is read. */
interface Required {
  fresh: () => string;
  /** Throws where the text is not what it has to be. */
  parse: (text: string) => unknown;
  /** The sentence that is said then. */
  damaged: string;
}

/** Makes sure that a file holds what it has to, and makes it where there is none. Throws CannotStart. */
export function requireStored(path: string, { fresh, parse, damaged }: Required): void {
  const text = readStored(path);
  if (text === undefined) {
    writeStored(path, fresh());
    return;
  }
  try {
    parse(text);
  } catch {
    throw new CannotStart(damaged);
  }
}

/** Writes a file as a whole or not at all, for its owner only: a crash leaves what was there. */
export function writeStored(path: string, content: string | Buffer): void {
  writeFileSync(`${path}.tmp`, content, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}
