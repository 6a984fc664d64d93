import type { AccountId } from '../../id/account-id.ts';
import { sessionKey } from '../../security/keys.ts';
import { asSeconds, type Item, isExpired, recordOf } from '../../table/item.ts';
import {
  deleteIfEquals,
  deleteItem,
  putIfAbsent,
  putIfEquals,
  putItem,
  type Write,
} from '../../table/operations.ts';
import { getItem, getItems } from '../../table/read.ts';
import { identityKey, providerSessionKey } from './keys.ts';

/** A user of an identity provider is the pair of issuer and subject. An address may change, and may get another owner. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** An open session that began with an identity. */
interface OpenSession {
  id: string;
  /** The account in whose partition the session is stored. */
  home: AccountId;
  sid?: string;
  expiresAt: string;
}

/**
 * The person of an identity in an account, and the sessions that began with it. The link is valid only as long as the
 * membership contains the same identity.
 */
export interface StoredIdentity extends Identity {
  userId: number;
  email: string;
  sessions: OpenSession[];
  revision: number;
}

/** A new session ends the oldest one above this number, so that one transaction can end all of them. */
const mostSessions = 20;

export const sameIdentity = (one: Identity | undefined, other: Identity): boolean =>
  one?.issuer === other.issuer && one.subject === other.subject;

export const identities = {
  async find(account: AccountId, identity: Identity): Promise<StoredIdentity | undefined> {
    const item = await getItem(identityKey(account, identity));
    return item && recordOf<StoredIdentity>(item);
  },

  /** Links an identity to a member, and adds a session. Ends the sessions of another person with the same identity. */
  addSession(account: AccountId, { identity, before, user, session }: NewSession, now: Date): Write[] {
    const { sid, id, expiresAt } = session;
    const isOfMember = before?.userId === user.id;
    const open = (before?.sessions ?? []).filter((one) => Date.parse(one.expiresAt) > now.getTime());
    const kept = isOfMember ? open.slice(-(mostSessions - 1)) : [];
    const added = { id, home: user.home, ...(sid && { sid }), expiresAt: expiresAt.toISOString() };
    const after = { ...identity, userId: user.id, email: user.email, sessions: [...kept, added] };
    const providerSession = sid && {
      ...providerSessionKey(account, { issuer: identity.issuer, sid }),
      type: 'sso-provider-session',
      subject: identity.subject,
      expiresAtSeconds: asSeconds(expiresAt),
    };
    return [
      put(account, before, after),
      ...(providerSession ? [putItem(providerSession)] : []),
      ...open.filter((one) => !kept.includes(one)).map(endOf),
    ];
  },

  /**
   * Ends the sessions of an identity: those of one session at the provider, or all of them. A session for which the provider
   * sent no `sid` may belong to any of its sessions. `ended`: the number of sessions that were not ended before.
   */
  async endSessions(
    account: AccountId,
    before: StoredIdentity,
    sid?: string,
  ): Promise<{ ended: number; writes: Write[] }> {
    const selected = before.sessions.filter((one) => sid === undefined || (one.sid ?? sid) === sid);
    if (selected.length === 0) return { ended: 0, writes: [] };
    const stored = await getItems(selected.map(({ home, id }) => sessionKey(home, id)));
    const sessions = before.sessions.filter((one) => !selected.includes(one));
    return {
      ended: stored.filter(Boolean).length,
      writes: [put(account, before, { ...before, sessions }), ...selected.map(endOf)],
    };
  },

  /** Ends the link of a member and all sessions that began with it. Costs nothing for a member without a link. */
  async endLink({ accountId, id, identity }: LinkedMember): Promise<Write[]> {
    const stored = identity && (await this.find(accountId, identity));
    if (stored?.userId !== id) return [];
    return [
      deleteIfEquals(identityKey(accountId, stored), 'revision', stored.revision),
      ...stored.sessions.map(endOf),
    ];
  },

  /** Returns the subject of a session at the provider. */
  async subjectOf(account: AccountId, issuer: string, sid: string, now: Date): Promise<string | undefined> {
    const item = await getItem(providerSessionKey(account, { issuer, sid }));
    return item && !isExpired(item, now) ? recordOf<{ subject: string }>(item).subject : undefined;
  },
};

interface LinkedMember {
  accountId: AccountId;
  id: number;
  identity?: Identity;
}

interface NewSession {
  identity: Identity;
  /** The stored identity, as it was read. */
  before: StoredIdentity | undefined;
  user: { id: number; home: AccountId; email: string };
  session: { id: string; sid?: string; expiresAt: Date };
}

const endOf = ({ home, id }: OpenSession): Write => deleteItem(sessionKey(home, id));

function put(
  account: AccountId,
  before: StoredIdentity | undefined,
  after: Omit<StoredIdentity, 'revision'>,
): Write {
  const item: Item = {
    ...identityKey(account, after),
    type: 'sso-identity',
    ...after,
    revision: (before?.revision ?? 0) + 1,
  };
  return before ? putIfEquals(item, 'revision', before.revision) : putIfAbsent(item);
}
