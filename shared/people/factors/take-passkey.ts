import { ApiError } from '../../errors.ts';
import { transact, VersionConflict } from '../../table/transact.ts';
import type { StoredUser } from '../users/schema.ts';
import { handleOf, usePasskey, whoseId } from './passkeys.ts';
import type { UsedChallenge, UsedCredential } from './schema.ts';
import { factors } from './store.ts';
import { verifyPasskeyUse } from './verify-passkey.ts';

/**
 * Verifies the use of a passkey of a person, and stores that its challenge was used. If another request has changed the
 * factors meanwhile, they are read again. So a challenge works once. Wrong uses are not counted, because a signature cannot
 * be guessed, and everybody can send wrong ones for another person.
 *
 * Throws `passkey_rejected`.
 */
export async function takePasskey(
  person: Pick<StoredUser, 'home' | 'id'>,
  sent: UsedCredential,
  used: UsedChallenge,
  { now, deadline }: { now: Date; deadline: number },
): Promise<'passkey'> {
  const { userHandle } = sent.response;
  if (typeof userHandle === 'string' && userHandle !== handleOf(person))
    throw new ApiError('passkey_rejected');
  for (;;) {
    const stored = await factors.of(person);
    const passkey = whoseId(stored, sent.id);
    if (!passkey) throw new ApiError('passkey_rejected');
    const counter = await verifyPasskeyUse(sent, used.challenge, passkey.credential);
    try {
      await transact(
        factors.replace(person, stored, usePasskey(stored, passkey, counter, used, now)),
        deadline,
      );
      return 'passkey';
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
  }
}
