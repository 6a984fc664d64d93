import type { AccountId } from '../../id/account-id.ts';
import type { StoredMailAddress } from '../addresses/schema.ts';
import { mailAddresses } from '../addresses/store.ts';
import type { ThreadOf } from '../threads/schema.ts';
import { type MailToken, readToken } from '../threads/thread-token.ts';

type ThreadToken = MailToken & { kind: 'thread' };

/** The addresses of one account to which a mail was sent. */
export interface MailRoute {
  account: AccountId;
  /** The mail addresses that still exist. */
  addresses: StoredMailAddress[];
  /** The valid reply addresses. */
  replies: ThreadToken[];
}

/**
 * Groups the envelope recipients of a mail by account. Addresses that the service did not generate are omitted, also those
 * with a wrong MAC or secret: they belong to no account. Otherwise, invented addresses could fill a quarantine. A reference
 * in the mail never selects the account.
 */
export async function routesOf(recipients: readonly string[]): Promise<MailRoute[]> {
  const routes = new Map<AccountId, MailRoute>();
  for (const token of await Promise.all([...new Set(recipients)].map((recipient) => readToken(recipient)))) {
    if (!token || (token.kind === 'thread' && token.mailId !== undefined)) continue;
    const route = routes.get(token.account) ?? { account: token.account, addresses: [], replies: [] };
    if (token.kind === 'thread') route.replies.push(token);
    else {
      const { record, retired } = await mailAddresses.lookUpInbound(token);
      if (record) route.addresses.push(record);
      else if (!retired) continue;
    }
    routes.set(token.account, route);
  }
  return [...routes.values()];
}

/** A thread that a mail names, and the hash of the address for which the name was signed. */
export interface ThreadName extends Pick<ThreadToken, 'thread' | 'recipientHash'> {
  by: 'address' | 'reference';
}

/** The ids that are read: In-Reply-To, the start of the thread, and the newest mails. Mail programs shorten References. */
const mostReferences = 12;
/** A mail that names more threads is treated as if it named these. */
const mostThreads = 3;

/** Returns the threads of an account that a mail names, without duplicates: first by reply addresses, then by references. */
export async function threadNames(
  { account, replies }: MailRoute,
  { inReplyTo, references }: { inReplyTo: readonly string[]; references: readonly string[] },
): Promise<ThreadName[]> {
  const ids = [...new Set([...inReplyTo, ...references.slice(0, 1), ...references.toReversed()])];
  const tokens = await Promise.all(ids.slice(0, mostReferences).map((id) => readToken(id)));
  const referenced = tokens.filter(
    (token): token is ThreadToken => token?.kind === 'thread' && token.account === account,
  );
  const names = [
    ...replies.map((token): ThreadName => ({ ...token, by: 'address' })),
    ...referenced.map((token): ThreadName => ({ ...token, by: 'reference' })),
  ];
  const distinct = new Map<string, ThreadName>();
  for (const name of names) {
    const key = nameOf(name.thread);
    if (!distinct.has(key)) distinct.set(key, name);
  }
  return [...distinct.values()].slice(0, mostThreads);
}

const nameOf = ({ recordType, recordId }: ThreadOf): string => `${recordType} ${recordId}`;
