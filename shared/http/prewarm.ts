import { keyring } from '../security/keyring.ts';
import { getItem } from '../table/read.ts';
import { prewarmKey } from './keys.ts';

/**
 * Opens the connection and fills the caches while Lambda initialises, when time is free. Reads an item that does
 * not exist, where every function may read; whatever fails here fails again, and is reported, in the request that needs it.
 */
export async function prewarm(): Promise<void> {
  await Promise.allSettled([getItem(prewarmKey), keyring()]);
}
