import type { StoredAccount } from '../../accounts/schema.ts';
import { accounts } from '../../accounts/store.ts';
import type { Request } from '../../endpoints/endpoint.ts';
import { tooManyRequests } from '../../errors.ts';
import { normalizeEmail } from '../../formats.ts';
import type { AccountId } from '../../id/account-id.ts';
import { incrementInWindow } from '../../table/counters.ts';
import { invitationMailsAcrossAccountsKey, invitationMailsOfRootKey } from './keys.ts';
import type { Membership } from './schema.ts';

const windowSeconds = 3600;
/** The invitation mails to one address in an hour, from all accounts together. */
export const mostInvitationsToAddress = 20;
/** The invitation mails in an hour from an account on the first level and all accounts below it. */
const mostInvitationsOfRoot = 1000;

/** The parts of a request that invites a person. */
export type InvitingRequest = Pick<Request, 'now' | 'runOnce'> & { accountRecord: StoredAccount };

/**
 * Counts an invitation mail of the account of the request. An account can create accounts without a limit of its own, so
 * the counters are for the address and for the account on the first level. Call this function after every check that can
 * reject the request. Throws `too_many_requests`.
 */
export async function takeInvitation(
  email: string,
  { accountRecord, now, runOnce }: InvitingRequest,
): Promise<void> {
  const exceeded = await runOnce(
    async () => {
      const [toAddress, ofRoot] = await Promise.all([
        incrementInWindow(invitationMailsAcrossAccountsKey(normalizeEmail(email)), 1, windowSeconds, now),
        rootOf(accountRecord).then((root) =>
          incrementInWindow(invitationMailsOfRootKey(root), 1, windowSeconds, now),
        ),
      ]);
      return toAddress > mostInvitationsToAddress || ofRoot > mostInvitationsOfRoot;
    },
    () => false,
  );
  if (exceeded) throw tooManyRequests(windowSeconds);
}

/** Counts the mail of a changed membership like `takeInvitation`, if the membership got a new token. */
export async function takeRenewal(
  before: Membership,
  { email, invitationId }: Membership,
  request: InvitingRequest,
): Promise<void> {
  if (invitationId !== undefined && invitationId !== before.invitationId)
    await takeInvitation(email, request);
}

/** Returns the account on the first level of the tree. An account on the third level needs a read. */
async function rootOf({ id, parentAccountId, depth = 1 }: StoredAccount): Promise<AccountId> {
  if (!parentAccountId) return id;
  const parent = depth > 2 ? await accounts.find(parentAccountId) : undefined;
  return parent?.parentAccountId ?? parentAccountId;
}
