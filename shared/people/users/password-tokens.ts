import { createHash, randomBytes } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asSeconds, type Item, isExpired } from '../../table/item.ts';
import { deleteIfPresent, putIfAbsent, putItem, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { passwordTokenAcrossAccountsKey } from './keys.ts';
import { activeMember } from './membership-conditions.ts';
import type { StoredUser } from './schema.ts';
import { users } from './store.ts';

const hour = 3600 * 1000;

const lifetime = { invitation: 72 * hour, reset: hour } as const;

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Issues a token with which a password can be set once. Only the hash of the token is stored. */
export function issuePasswordToken(
  kind: keyof typeof lifetime,
  { id, home, sessionEpoch }: { id: number; home: string; sessionEpoch: number },
  now: Date,
): { token: string; writes: Write[] } {
  const token = `mo_pw_${randomBytes(32).toString('base64url')}`;
  const expiresAtSeconds = asSeconds(new Date(now.getTime() + lifetime[kind]));
  const key = passwordTokenAcrossAccountsKey(digestOf(token));
  return {
    token,
    writes: [
      putIfAbsent({ ...key, type: 'password-token', kind, id, home, epoch: sessionEpoch, expiresAtSeconds }),
    ],
  };
}

/** The user of a valid token, and the writes that delete the token. The writes fail if the token is no longer valid. */
interface PresentedToken {
  user: StoredUser;
  use: Write[];
}

/**
 * Reads a token from a request. Throws `token_invalid` if the token is unknown, used or expired, or older than the
 * current password. An invitation is valid only while the user belongs to no other account and never had a password.
 * Otherwise, the inviting account, which has the token, could act as the user.
 */
export async function presentPasswordToken(token: string, now: Date): Promise<PresentedToken> {
  const invalid = new ApiError('token_invalid');
  const key = passwordTokenAcrossAccountsKey(digestOf(token));
  const item: Item | undefined = await getItem(key);
  if (!item || isExpired(item, now)) throw invalid;
  const home = String(item.home) as AccountId;
  const user = await users.find({ id: Number(item.id), home });
  if (!user || user.sessionEpoch !== Number(item.epoch)) throw invalid;
  const use = [deleteIfPresent(key, invalid)];
  if (item.kind !== 'invitation') return { user, use };
  if (!user.invitationOpen) throw invalid;
  return { user, use: [...use, activeMember(home, user.id, invalid)] };
}

/** Writes a row that no token matches, so that a request takes equally long for known and unknown users. */
export const voidPasswordToken = (name: string, now: Date): Write =>
  putItem({
    ...passwordTokenAcrossAccountsKey(`void:${digestOf(name)}`),
    type: 'void',
    expiresAtSeconds: asSeconds(now),
  });
