import type { StoredAccount } from '../accounts/schema.ts';
import type { DataKeys } from '../security/data-keys.ts';
import { putItem, type Write } from '../table/operations.ts';
import { type Authored, revise } from '../table/revise.ts';
import { newCaptureKey } from './capture-key.ts';
import { bodyExpiry } from './stored-bodies.ts';

const day = 86_400_000;

/** Switches capture on for a number of days from now, or changes its end. Each start creates a new key. */
export async function startCapture(
  account: StoredAccount,
  days: number,
  { dataKeys, ...authored }: Authored & { now: Date; dataKeys(): Promise<DataKeys> },
): Promise<{ after: StoredAccount; write: Write }> {
  const until = new Date(authored.now.getTime() + days * day);
  const { id, publicKey, item } = await newCaptureKey(account.id, await dataKeys(), {
    now: authored.now,
    lastBody: bodyExpiry(until),
  });
  const change = { bodyCaptureUntil: until.toISOString(), bodyCaptureKey: { id, publicKey } };
  return { after: revise(account, change, authored), write: putItem(item) };
}

/** Switches capture off. Bodies that were captured remain readable until they expire. */
export const stopCapture = (account: StoredAccount, authored: Authored): StoredAccount =>
  revise(account, { bodyCaptureUntil: null, bodyCaptureKey: null }, authored);
