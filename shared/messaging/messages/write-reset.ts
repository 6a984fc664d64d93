import type { Event } from '../../events/envelope.ts';
import { commit } from '../../events/outbox.ts';
import { issuePasswordToken } from '../../people/users/password-tokens.ts';
import { belongsOnlyTo } from '../../people/users/rules.ts';
import { users } from '../../people/users/store.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { resetMail, type Sender } from './compose-mail.ts';
import { sendMail } from './send-mail.ts';
import type { SendOutcome } from './send-outcome.ts';

/**
 * Composes the mail that resets a password. Creates the token only now, so that no waiting item contains one. Links to the
 * account's portal only if the user belongs to no other account.
 */
export async function writeReset(
  { userId, email }: { userId: number; email: string },
  sender: Sender,
  { accountId }: Pick<Event, 'accountId'>,
  { now, deadline }: Run,
): Promise<{ send: () => Promise<SendOutcome> } | { unsent: 'no_user' }> {
  const address = await users.addressByEmailAcrossAccounts(email);
  const user = address && (await users.find(address));
  if (user?.id !== userId) return { unsent: 'no_user' };
  const { token, writes } = issuePasswordToken('reset', user, now);
  await commit({ writes, events: [], deadline });
  const { name } = sender;
  const mail = resetMail(token, belongsOnlyTo(accountId, user) ? sender : { name });
  return { send: () => sendMail({ to: email, ...mail }) };
}
