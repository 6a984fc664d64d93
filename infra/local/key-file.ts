import { randomBytes } from 'node:crypto';
import { newSealKeyFile, parseSealKeyFile } from '../../shared/integrity/event-seals/seal-key.ts';
import { newKeyFile, parseKeyFile } from '../../shared/security/key-wrapping.ts';
import { parseKeyring } from '../../shared/security/keyring.ts';
import { requireStored } from '../administration/stored-file.ts';

/** If the file does not exist, creates a key that encrypts data keys. Throws CannotStart if the file is damaged. */
export const requireKeyFile = (path: string): void =>
  requireStored(path, {
    create: newKeyFile,
    parse: parseKeyFile,
    damaged: `The key file ${path} is damaged. Restore it from a backup: sensitive values cannot be decrypted without it.`,
  });

/** Like requireKeyFile, for the key that signs seals. */
export const requireSealKeyFile = (path: string): void =>
  requireStored(path, {
    create: newSealKeyFile,
    parse: parseSealKeyFile,
    damaged: `The key file ${path} is damaged. Restore it from a backup: existing seals cannot be verified without it.`,
  });

/** Like requireKeyFile, for the secret that signs session tokens. */
export const requireSigningSecret = (path: string): void =>
  requireStored(path, {
    create: () => JSON.stringify({ kids: ['1'], '1': randomBytes(48).toString('base64url') }),
    parse: parseKeyring,
    damaged: `The signing secret ${path} is damaged. Delete it to create a new secret. All users must then sign in again.`,
  });
