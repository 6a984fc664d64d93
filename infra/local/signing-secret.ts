import { randomBytes } from 'node:crypto';
import { parseKeyring } from '../../shared/security/keyring.ts';
import { requireStored } from './stored-file.ts';

/** Makes sure that the file holds a signing secret, and makes one where there is no file. Throws CannotStart. */
export const requireSigningSecret = (path: string): void =>
  requireStored(path, {
    fresh: () => JSON.stringify({ kids: ['1'], '1': randomBytes(48).toString('base64url') }),
    parse: parseKeyring,
    damaged: `The signing secret ${path} is damaged: remove it, and everybody signs in again.`,
  });
