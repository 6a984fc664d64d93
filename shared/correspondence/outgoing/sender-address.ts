import type { MailSettings, StoredAccount } from '../../accounts/schema.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { StoredMailAddress } from '../addresses/schema.ts';
import { mailAddresses } from '../addresses/store.ts';
import type { MailPerson } from '../mails/schema.ts';
import type { ThreadOf } from '../threads/schema.ts';

/**
 * Returns the sender of mails in a thread: the address in the account's settings, or its oldest address with the purpose of
 * the record. Undefined if there is none. `addresses` are all mail addresses of the account, newest first.
 */
export function senderFor(
  { recordType }: Pick<ThreadOf, 'recordType'>,
  addresses: readonly StoredMailAddress[],
  { name: accountName, mail }: Pick<StoredAccount, 'name' | 'mail'>,
): MailPerson | undefined {
  const purpose = recordType === 'ticket' ? 'tickets' : 'leads';
  const chosen = mail?.from === undefined ? undefined : addresses.find(({ id }) => id === mail.from);
  const found = chosen ?? addresses.findLast((one) => one.purpose === purpose) ?? addresses.at(-1);
  return found && personOf(found, { name: accountName });
}

/** Throws `invalid_input` if the settings name an unknown address, or mail comments although the account has no address. */
export async function checkMailSettings(
  account: AccountId,
  mail: MailSettings | null | undefined,
): Promise<void> {
  if (!mail) return;
  const { commentsByMail, from } = mail;
  if (from !== undefined && !(await mailAddresses.find(account, from)))
    throw invalid('mail.from', 'must be the id of a mail address of the account');
  if (commentsByMail && from === undefined && (await mailAddresses.all(account)).length === 0)
    throw invalid('mail.commentsByMail', 'needs a mail address of the account');
}

/** Returns an address of the account as a sender. Its default name is the name of the account. */
export const personOf = (
  { address, name }: Pick<StoredMailAddress, 'address' | 'name'>,
  account: Pick<StoredAccount, 'name'>,
): MailPerson => ({ address, name: name ?? account.name });

/** Throws `mail_unavailable` if an account has no mail address. */
export function requireSender(sender: MailPerson | undefined): MailPerson {
  if (sender) return sender;
  throw new ApiError('mail_unavailable', {
    message: 'The account has no mail address. Create one with POST /mail-addresses.',
  });
}
