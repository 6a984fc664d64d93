import { keyring } from '../security/keyring.ts';
import { getItem } from '../table/read.ts';
import { prewarmKey } from './keys.ts';

/**
 * Opens the connection to DynamoDB and loads the keyring during Lambda's init phase. Errors are ignored here, because
 * the first request that needs the same data reports them.
 */
export async function prewarm(): Promise<void> {
  await Promise.allSettled([getItem(prewarmKey), keyring()]);
}
