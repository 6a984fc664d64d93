import type { Principal } from '../../security/principal.ts';
import type { Ownership } from './schema.ts';

/** Returns the owner and the team of a record that a user creates directly. A record of an API key has none. */
export const ownershipOf = ({ kind, id, teamId }: Principal): Ownership =>
  kind === 'user' ? { ownerId: String(id), ...(teamId !== undefined && { teamId }) } : {};

/** Returns the ownership that a record passes on to the record that is created from it. */
export const ownershipFrom = ({ ownerId, teamId, participants }: Ownership): Ownership => ({
  ...(ownerId !== undefined && { ownerId }),
  ...(teamId !== undefined && { teamId }),
  ...(participants !== undefined && { participants }),
});
