import { keyring } from '../security/keyring.ts';
import { getItem } from '../table/read.ts';

/**
 * Opens the connection and fills the caches while Lambda initialises, when time is free. Reads an item that does
 * not exist; whatever fails here fails again, and is reported, in the request that needs it.
 */
export async function prewarm(): Promise<void> {
  await Promise.allSettled([getItem({ pk: 'PREWARM', sk: 'PREWARM' }), keyring()]);
}
