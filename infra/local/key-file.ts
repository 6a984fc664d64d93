import { randomBytes } from 'node:crypto';
import { newSealKeyFile, parseSealKeyFile } from '../../shared/integrity/event-seals/seal-key.ts';
import { newKeyFile, parseKeyFile } from '../../shared/security/key-wrapping.ts';
import { parseKeyring } from '../../shared/security/keyring.ts';
import { requireStored } from './stored-file.ts';

/** Makes sure that the file holds the key that guards data keys, and makes one where there is no file. Throws CannotStart. */
export const requireKeyFile = (path: string): void =>
  requireStored(path, {
    fresh: newKeyFile,
    parse: parseKeyFile,
    damaged: `The key file ${path} is damaged: put it back as it was, because no sensitive value opens without it.`,
  });

/** Makes sure that the file holds the key that signs seals, and makes one where there is no file. Throws CannotStart. */
export const requireSealKeyFile = (path: string): void =>
  requireStored(path, {
    fresh: newSealKeyFile,
    parse: parseSealKeyFile,
    damaged: `The key file ${path} is damaged: put it back as it was, because no seal that it signed can be verified without it.`,
  });

/** Makes sure that the file holds a signing secret, and makes one where there is no file. Throws CannotStart. */
export const requireSigningSecret = (path: string): void =>
  requireStored(path, {
    fresh: () => JSON.stringify({ kids: ['1'], '1': randomBytes(48).toString('base64url') }),
    parse: parseKeyring,
    damaged: `The signing secret ${path} is damaged: remove it, and everybody signs in again.`,
  });
