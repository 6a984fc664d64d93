import { randomBytes } from 'node:crypto';
import { parseKeyring } from '../../shared/security/keyring.ts';
import { CannotStart } from './cannot-start.ts';
import { readStored, writeStored } from './stored-file.ts';

/** Makes sure that the file holds a signing secret, and makes one where there is no file. Throws CannotStart. */
export function requireSigningSecret(path: string): void {
  const text = readStored(path);
  if (text === undefined) {
    writeStored(path, JSON.stringify({ kids: ['1'], '1': randomBytes(48).toString('base64url') }));
    return;
  }
  try {
    parseKeyring(text);
  } catch {
    throw new CannotStart(`The signing secret ${path} is damaged: remove it, and everybody signs in again.`);
  }
}
