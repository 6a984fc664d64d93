import { hashSecret, isMinted, mintText, secretMatches } from './key-secrets.ts';

const prefix = 'mo_ak_';

/** Creates an application key: `mo_ak_<43 base62><6 base62 checksum>`, 256 random bits. */
export const mintAppKey = (): string => mintText(prefix);

/** Reports whether a text has the form and checksum of an application key. */
export const isAppKey = (text: string): boolean => isMinted(prefix, text);

export const hashAppKey = (appKey: string): string => hashSecret(appKey);

/** A hash that matches no key. */
const dummyHash = 'A'.repeat(43);

/** Compares a key with a stored hash in constant time. If no hash is stored, returns false after the same time. */
export const appKeyMatches = (appKey: string, hash: unknown): boolean =>
  secretMatches(appKey, typeof hash === 'string' ? hash : dummyHash);
