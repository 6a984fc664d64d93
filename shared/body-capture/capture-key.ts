import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import type { AccountId } from '../id/account-id.ts';
import { mintId } from '../id/mint.ts';
import type { DataKeys } from '../security/data-keys.ts';
import type { Place } from '../security/encrypted-value.ts';
import { asSeconds, type Item } from '../table/item.ts';
import { captureKeyKey } from './keys.ts';

const day = 86_400_000;

/** The item with the private key, which is encrypted with the account's data key. */
export interface StoredCaptureKey {
  id: number;
  privateKey: string;
}

interface NewCaptureKey {
  id: number;
  publicKey: JsonWebKey;
  item: Item;
}

const placeOf = (account: AccountId, id: number): Place => ({
  account,
  record: `body-capture:${id}`,
  field: 'privateKey',
});

/**
 * Creates a key pair (P-256). The account's record contains the public key, so that a function can encrypt bodies without a
 * further read, and without the right to decrypt anything. The item expires with the last body at `lastBody`.
 */
export async function newCaptureKey(
  account: AccountId,
  keys: DataKeys,
  { now, lastBody }: { now: Date; lastBody: Date },
): Promise<NewCaptureKey> {
  const id = mintId(now);
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = JSON.stringify(pair.privateKey.export({ format: 'jwk' }));
  const stored: StoredCaptureKey = { id, privateKey: await keys.encrypt(placeOf(account, id), text) };
  const item = {
    ...captureKeyKey(account, id),
    type: 'body-key',
    ...stored,
    expiresAtSeconds: asSeconds(new Date(lastBody.getTime() + day)),
  };
  return { id, publicKey: pair.publicKey.export({ format: 'jwk' }), item };
}

/** Decrypts a private key. */
export const openCaptureKey = async (
  account: AccountId,
  keys: DataKeys,
  { id, privateKey }: StoredCaptureKey,
): Promise<JsonWebKey> => JSON.parse(await keys.decrypt(placeOf(account, id), privateKey)) as JsonWebKey;
