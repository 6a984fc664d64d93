import { invalid } from '../../errors.ts';
import { crockford } from '../../id/crockford.ts';
import { mintId } from '../../id/mint.ts';

/** A new id, and the number by which lists order what gets it. */
export function mintApplicationId(now: Date): { id: string; listId: number } {
  const listId = mintId(now);
  return { id: `app_${crockford(listId)}`, listId };
}

/** A uniqueId for an owner that came without one. */
export const mintOwnerId = (now: Date): string => `own_${crockford(mintId(now))}`;

/** The id that a path names: anything else than an id names nothing, and is never put into a key. */
export const parseApplicationId = (text: string): string | undefined =>
  /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/.test(text) ? text : undefined;

/** Throws unless a client may make an application under this id: of ours nobody makes one. */
export function checkClientId(id: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._~-]{9,63}$/.test(id) || id.startsWith('app_'))
    throw invalid(
      'applicationId',
      'must be 10 to 64 letters, digits, . _ ~ -, first a letter or digit, and not begin with app_',
    );
}
