/**
 * Shortens the Message-IDs of a thread, oldest first, to the first one and the newest ones. Mail programs find a thread by
 * these (RFC 5322, 3.6.4).
 */
export const firstAndNewest = (ids: readonly string[], most: number): string[] =>
  ids.length > most ? [...ids.slice(0, 1), ...ids.slice(1 - most)] : [...ids];
