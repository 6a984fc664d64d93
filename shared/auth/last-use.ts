import { note } from '../table/counter.ts';
import type { Item } from '../table/item.ts';
import { type Key, lastUseKey } from '../table/keys.ts';
import { principalOf } from './caller.ts';
import type { Identity } from './identity.ts';

/** A key's last use is written at most this often. */
const hourly = 3600 * 1000;

export const lastUseKeyOf = (identity: Pick<Identity, 'home' | 'kind' | 'id'>): Key =>
  lastUseKey(identity.home, principalOf(identity));

/** Whether the last use that is on record lies an hour back or more. */
export const isUseOld = (item: Item | undefined, now: Date): boolean =>
  item === undefined || now.getTime() - Date.parse(String(item.lastUsedAt)) >= hourly;

/** Notes that a key was used now. */
export const noteUse = (identity: Identity, now: Date): Promise<void> =>
  note(lastUseKeyOf(identity), 'lastUsedAt', now.toISOString());
