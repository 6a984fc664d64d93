import { invalid } from '../../../errors.ts';
import { crockford } from '../../../id/crockford.ts';
import { mintId } from '../../../id/mint.ts';

/** Returns a new id, and the number that determines the application's position in lists. */
export function mintApplicationId(now: Date): { id: string; listId: number } {
  const listId = mintId(now);
  return { id: `app_${crockford(listId)}`, listId };
}

/** Returns a uniqueId for an owner that was sent without a uniqueId. */
export const mintOwnerId = (now: Date): string => `own_${crockford(mintId(now))}`;

/** Returns the text if it is a valid id, otherwise undefined, so that table keys contain only valid ids. */
export const parseApplicationId = (text: string): string | undefined =>
  /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/.test(text) ? text : undefined;

/** Throws `invalid_input` if a client may not choose this id. The prefix `app_` is reserved for generated ids. */
export function checkClientId(id: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._~-]{9,63}$/.test(id) || id.startsWith('app_'))
    throw invalid(
      'applicationId',
      'must have 10 to 64 characters (letters, digits, . _ ~ -), start with a letter or digit, and not start with app_',
    );
}
