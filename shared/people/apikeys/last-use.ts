import type { Credential } from '../../security/credential.ts';
import { principalKeyOf } from '../../security/principal.ts';
import { setAttribute } from '../../table/counters.ts';
import type { Item } from '../../table/item.ts';
import type { Key } from '../../table/keys.ts';
import { lastUseKey } from './keys.ts';

const hour = 3600 * 1000;

export const lastUseKeyOf = (credential: Pick<Credential, 'home' | 'kind' | 'id'>): Key =>
  lastUseKey(credential.home, principalKeyOf(credential));

/** Reports whether the recorded last use is at least an hour old. The last use is written at most once an hour. */
export const isUseOld = (item: Item | undefined, now: Date): boolean =>
  item === undefined || now.getTime() - Date.parse(String(item.lastUsedAt)) >= hour;

export const recordUse = (credential: Credential, now: Date): Promise<void> =>
  setAttribute(lastUseKeyOf(credential), 'lastUsedAt', now.toISOString());
