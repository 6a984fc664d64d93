import type { Actor, Subject } from '../events/envelope.ts';
import { labelled } from '../events/subject.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Permission } from '../resources/registry.ts';

/** An authenticated user or API key, before authorization for an account. */
export interface AuthenticatedPrincipal {
  kind: 'user' | 'key';
  id: number;
  /** The account where the user was created, or the account of the key. */
  home: AccountId;
  actor: Actor;
  /** The account whose event log contains the events about the principal: logins, passwords, limits. */
  log: AccountId;
}

/** An impersonation: an administrator acts as a user, in one account and for 30 minutes. */
export interface ActiveImpersonation {
  /** The id of its record. */
  id: number;
  /** The administrator: `user:1234`. */
  by: string;
  /** The only account in which the session is valid. */
  account: AccountId;
  /** False if the session is read-only. */
  write: boolean;
  /** ISO 8601. */
  expiresAt: string;
}

/**
 * The factor that a session has proved: a code in addition to the password, or a passkey, with or without the password.
 * `single_sign_on`: the identity provider of the account asked for it.
 */
export type FactorUse = 'totp' | 'recovery_code' | 'passkey' | 'single_sign_on';

/** An authenticated user or API key, with its permissions in the account of the request. */
export interface SignedIn extends AuthenticatedPrincipal {
  /** An API key is never an administrator. */
  administrator: boolean;
  permissions: ReadonlySet<Permission>;
  /** The permissions that the account can use. Absent if it can use all. */
  accountPermissions?: readonly string[];
  /** The team of a user in the account of the request. */
  teamId?: number;
  /** The teams that the user manages in the account of the request, with the teams below them. */
  managedTeamIds?: readonly number[];
  /**
   * The notification preferences of a user. `accountId` is the account to which a preference applies. If omitted, the
   * preference applies to all accounts of the user.
   */
  notificationPreferences?: readonly { accountId?: string }[];
  /** True if the password of a user was set with a token that was mailed to the user. */
  proved?: boolean;
  /** The second factor that the session of a user has proved. In an impersonation, that of the administrator's session. */
  factor?: FactorUse;
  /**
   * When the session of a user last proved the user's identity: at the login, or with POST /auth/step-up. ISO 8601. In an
   * impersonation, that of the administrator's session.
   */
  provedAt?: string;
  /** When the session of a user began. */
  sessionBeganAt?: string;
  /** The session of a token. Absent for an API key that is sent directly. */
  sessionId?: string;
  /** The accounts in which the session has begun impersonations. */
  impersonates?: readonly AccountId[];
  /** Present only if an administrator acts as the user. */
  impersonation?: ActiveImpersonation;
  /** The only account of a session by single sign-on. Such a session never acts for the person. */
  signedOnTo?: AccountId;
}

/** The holder of an application's appKey, without permissions. Only contracts with `applicant` accept applicants. */
export interface Applicant extends Omit<SignedIn, 'kind' | 'id' | 'sessionId'> {
  kind: 'applicant';
  id: string;
}

export type Principal = SignedIn | Applicant;

/** Returns the name of a principal in keys of the table: `user:1234`, `key:1234` or `applicant:app_01`. */
export const principalKeyOf = (principal: Pick<Principal, 'kind' | 'id'>): string =>
  `${principal.kind}:${principal.id}`;

/** Returns a principal as the subject of an event. The label is the actor's name. Applicants have no label. */
export const principalSubject = <K extends Principal['kind']>({
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
