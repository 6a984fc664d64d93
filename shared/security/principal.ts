import type { Actor } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Permission } from './permissions.ts';

/** Somebody whose calls are counted and whose own doings are on record. */
export interface PrincipalIdentity {
  kind: 'user' | 'key';
  /** The id of the user or of the API key. */
  id: number;
  /** Where the user was made, or the one account of the key. */
  home: AccountId;
  actor: Actor;
  /** The account whose event log the caller's own doings enter: sign-ins, passwords, limits. */
  log: string;
}

/** Who is calling, and what it may do in the account that the request names. */
export interface Principal extends PrincipalIdentity {
  /** A caller by API key is never an administrator, whatever its permissions. */
  administrator: boolean;
  permissions: ReadonlySet<Permission>;
  /** The session behind a token; a key that is presented directly has none. */
  sessionId?: string;
}

/** `user:1234` or `key:1234`: what idempotency keys and request limits are counted by. */
export const principalKeyOf = (principal: Pick<Principal, 'kind' | 'id'>): string =>
  `${principal.kind}:${principal.id}`;

/** A caller as the subject of an event about itself. */
export const subjectOf = ({ kind, id }: Pick<Principal, 'kind' | 'id'>) => ({
  type: kind === 'key' ? 'api_key' : 'user',
  id,
});
