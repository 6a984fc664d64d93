import type { Actor, Subject } from '../events/envelope.ts';
import { labelled } from '../events/subject.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Permission } from './permissions.ts';

/** An authenticated user or API key, before anything is known about the account of the request. */
export interface AuthenticatedPrincipal {
  kind: 'user' | 'key';
  /** The id of the user or of the API key. */
  id: number;
  /** Where the user was made, or the one account of the key. */
  home: AccountId;
  actor: Actor;
  /** The account whose event log the principal's own events enter: sign-ins, passwords, limits. */
  log: AccountId;
}

/** A user or API key that makes a request, and what it may do in the account that the request names. */
export interface SignedIn extends AuthenticatedPrincipal {
  /** An API key is never an administrator, whatever its permissions. */
  administrator: boolean;
  permissions: ReadonlySet<Permission>;
  /** Of a user: its rules of what it hears, as far as the account that each is for; without one it is for all. */
  notificationPreferences?: readonly { accountId?: string }[];
  /** The session behind a token; a key that is presented directly has none. */
  sessionId?: string;
}

/**
 * Whoever holds the key of one application, and makes a request about it. It holds no permission: what it may do stands in
 * the contracts that let applicants in.
 */
export interface Applicant extends Omit<SignedIn, 'kind' | 'id' | 'sessionId'> {
  kind: 'applicant';
  /** The id of the application. */
  id: string;
}

/** Who makes a request. */
export type Principal = SignedIn | Applicant;

/** `user:1234`, `key:1234` or `applicant:app_01`: what idempotency keys and request limits are counted by. */
export const principalKeyOf = (principal: Pick<Principal, 'kind' | 'id'>): string =>
  `${principal.kind}:${principal.id}`;

/** A principal as the subject of an event about itself, named as its actor is; an applicant’s actor is no name of an application. */
export const subjectOf = <K extends Principal['kind']>({
  kind,
  id,
  actor,
}: {
  kind: K;
  id: number | string;
  actor: Actor;
}): Subject<(typeof subjectTypes)[K]> => ({
  type: subjectTypes[kind],
  id,
  ...(kind !== 'applicant' && labelled(actor.user)),
});

const subjectTypes = { user: 'user', key: 'api_key', applicant: 'application' } as const;
