import { newKeyFile, parseKeyFile } from '../../shared/security/key-wrapping.ts';
import { CannotStart } from './cannot-start.ts';
import { readStored, writeStored } from './stored-file.ts';

/** Makes sure that the file holds the key that guards data keys, and makes one where there is no file. Throws CannotStart. */
export function requireKeyFile(path: string): void {
  const text = readStored(path);
  if (text === undefined) {
    writeStored(path, newKeyFile());
    return;
  }
  try {
    parseKeyFile(text);
  } catch {
    throw new CannotStart(
      `The key file ${path} is damaged: put it back as it was, because no sensitive value opens without it.`,
    );
  }
}
