import type { Actor } from './envelope.ts';

/** Returns the actor of an event as a text. If an administrator acted as the user, names both. */
export const actorText = ({ user, impersonatedBy }: Actor): string =>
  impersonatedBy === undefined ? user : `${impersonatedBy} as ${user}`;
