import { createHash, randomBytes } from 'node:crypto';
import type { AccountId } from '../accounts/account-id.ts';
import { Refusal } from '../http/errors.ts';
import { asSeconds, type Item, isExpired } from '../table/item.ts';
import { passwordTokenAcrossAccountsKey } from '../table/keys.ts';
import { getItem } from '../table/read.ts';
import { putAnyway, putNew, removeOnce, type Write } from '../table/write.ts';
import type { UserAddress } from './users.ts';

const hour = 3600 * 1000;

/** How long each kind of token is good for. */
const lifetime = { invitation: 72 * hour, reset: hour } as const;

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** A token that sets a password once. Only its hash is stored. */
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
      putNew({ ...key, type: 'password-token', kind, id, home, epoch: sessionEpoch, expiresAtSeconds }),
    ],
  };
}

/** Whose password a token sets, the epoch it was issued in, and the write that uses it up. */
export interface PresentedToken {
  address: UserAddress;
  epoch: number;
  use: Write;
}

/** Reads a presented token. Refuses one that is unknown, used or expired with `token_invalid`. */
export async function presentPasswordToken(token: string, now: Date): Promise<PresentedToken> {
  const key = passwordTokenAcrossAccountsKey(digestOf(token));
  const item: Item | undefined = await getItem(key);
  if (!item || isExpired(item, now)) throw new Refusal('token_invalid');
  return {
    address: { id: Number(item.id), home: String(item.home) as AccountId },
    epoch: Number(item.epoch),
    use: removeOnce(key, new Refusal('token_invalid')),
  };
}

/** A row that no token leads to. */
export const voidPasswordToken = (name: string, now: Date): Write =>
  putAnyway({
    ...passwordTokenAcrossAccountsKey(`void:${digestOf(name)}`),
    type: 'void',
    expiresAtSeconds: asSeconds(now),
  });
