import { randomBytes } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import { type AccountId, asAccountId } from '../../id/account-id.ts';
import { digestOf } from '../../security/keys.ts';
import { asSeconds, isExpired, recordOf } from '../../table/item.ts';
import { deleteIfPresent, putIfAbsent, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { findMember } from './find-member.ts';
import { passwordTokenAcrossAccountsKey } from './keys.ts';
import { openInvitation } from './membership-conditions.ts';
import type { StoredUser } from './schema.ts';
import type { Member } from './show-user.ts';
import { users } from './store.ts';

const hour = 3600 * 1000;
const lifetime = { reset: hour, invitation: 72 * hour } as const;

/**
 * A stored token, which works once. Tokens are only sent by mail, so a request with a token proves the mailbox.
 * - Sets a password: `home` and `epoch` are those of the person. A newer password makes the token invalid. The invitation
 *   of the account that created the person also has `invitation`.
 * - Accepts the invitation of another account: has only `invitation`. A newer password changes nothing.
 */
export interface StoredToken {
  id: number;
  password?: { home: AccountId; epoch: number };
  invitation?: { account: AccountId; id: number };
}

/** Reports whether a token is for an invitation of this account, or for a person who is stored in this account. */
export const isTokenOf = ({ password, invitation }: StoredToken, account: AccountId): boolean =>
  password?.home === account || invitation?.account === account;

/** Only the hash of the token is stored. */
function issueToken(bound: StoredToken, kind: keyof typeof lifetime, now: Date) {
  const token = `mo_pw_${randomBytes(32).toString('base64url')}`;
  const expiresAtSeconds = asSeconds(new Date(now.getTime() + lifetime[kind]));
  const key = passwordTokenAcrossAccountsKey(digestOf(token));
  return { token, writes: [putIfAbsent({ ...key, type: 'password-token', ...bound, expiresAtSeconds })] };
}

const passwordOf = ({ home, sessionEpoch }: StoredUser) => ({ home, epoch: sessionEpoch });

/** Issues a token that sets a password. Valid for an hour. */
export const issueResetToken = (user: StoredUser, now: Date): { token: string; writes: Write[] } =>
  issueToken({ id: user.id, password: passwordOf(user) }, 'reset', now);

/** Issues the token of a member's invitation. Valid for 72 hours. Undefined if the member has no invitation. */
export function issueInvitationToken(
  { user, membership: { accountId: account, invitationId, invited } }: Member,
  now: Date,
): { token: string; writes: Write[] } | undefined {
  if (invitationId === undefined) return undefined;
  const bound = { id: user.id, invitation: { account, id: invitationId } };
  return issueToken(invited ? bound : { ...bound, password: passwordOf(user) }, 'invitation', now);
}

/** The writes that use up a token. They fail with `token_invalid` if the token is no longer valid. */
interface Used {
  use: Write[];
}

async function readToken(token: string, now: Date): Promise<StoredToken & Used> {
  const invalid = new ApiError('token_invalid');
  const key = passwordTokenAcrossAccountsKey(digestOf(token));
  const item = await getItem(key);
  if (!item || isExpired(item, now)) throw invalid;
  return { ...recordOf<StoredToken>(item), use: [deleteIfPresent(key, invalid)] };
}

/**
 * Returns the person whose password a token sets. `accepts`: true if the token also accepts the membership of the account
 * that created the person. Throws `token_invalid`, also for another account's invitation.
 */
export async function presentPasswordToken(
  token: string,
  now: Date,
): Promise<Used & { user: StoredUser; accepts: boolean }> {
  const invalid = new ApiError('token_invalid');
  const { id, password, invitation, use } = await readToken(token, now);
  const user = password && (await users.find({ id, home: password.home }));
  if (user?.sessionEpoch !== password?.epoch || !user) throw invalid;
  return {
    user,
    accepts: invitation !== undefined,
    use: [...use, ...(invitation ? [openInvitation({ ...invitation, userId: id }, invalid)] : [])],
  };
}

/**
 * Returns the member that the invitation token of an account belongs to, whether or not the account created the person.
 * Throws `token_invalid`, also for a token that only sets a password.
 */
export async function presentInvitationOf(
  token: string,
  account: AccountId,
  now: Date,
): Promise<Used & { member: Member }> {
  const { id, invitation, password, use } = await readToken(token, now);
  const member = invitation?.account === account ? await findMember(account, String(id)) : undefined;
  const isCurrent =
    member?.user.id === id &&
    member.membership.invitationId === invitation?.id &&
    (password === undefined ? member.membership.invited : member.user.sessionEpoch === password.epoch);
  if (!member || !isCurrent) throw new ApiError('token_invalid');
  return { member, use };
}

/**
 * Returns the invited member that a token accepts. Throws `token_invalid` if the token belongs to another account or
 * person, or if the invitation was withdrawn, renewed, accepted or deactivated.
 */
export async function presentInvitationToken(
  token: string,
  { email, accountId }: { email: string; accountId: string },
  now: Date,
): Promise<Used & { member: Member }> {
  const { id, invitation, password, use } = await readToken(token, now);
  const account = asAccountId(accountId);
  const isForAccount = invitation && !password && invitation.account === account;
  const member = isForAccount && account ? await findMember(account, email) : undefined;
  const isOpen = member?.membership.invited && member.membership.invitationId === invitation?.id;
  if (!member || !isOpen || member.user.id !== id) throw new ApiError('token_invalid');
  return { member, use };
}
