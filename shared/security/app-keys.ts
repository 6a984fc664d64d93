import { hashSecret, isMinted, mintText, secretMatches } from './key-secrets.ts';

const prefix = 'mo_ak_';

/** A new key of an application, `mo_ak_<43 base62><6 base62 checksum>`: 256 bits of randomness. */
export const mintAppKey = (): string => mintText(prefix);

/** Whether a text could be such a key, by its form and checksum. */
export const isAppKey = (text: string): boolean => isMinted(prefix, text);

/** What the item beside an application keeps of its key. */
export const hashAppKey = (appKey: string): string => hashSecret(appKey);

/** As long as a hash, and of no key. */
const ofNothing = 'A'.repeat(43);

/** Compares with the `hash` of an item in constant time, and as long where there is none. */
export const appKeyMatches = (appKey: string, hash: unknown): boolean =>
  secretMatches(appKey, typeof hash === 'string' ? hash : ofNothing);
