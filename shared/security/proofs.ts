import { digestOf } from './keys.ts';
import type { SignedIn } from './principal.ts';

/** The actions that need a fresh proof of the caller's identity. A single-use token is valid for one of them. */
export const purposes = [
  'reveal',
  'keys',
  'rights',
  'factors',
  'bank_data',
  'secrets',
  'impersonation',
  'export',
  'deletion',
] as const;
export type Purpose = (typeof purposes)[number];

/** For this many milliseconds after a login or POST /auth/step-up, the proof of a session is fresh. */
export const freshMilliseconds = 10 * 60_000;

/** The record of a request. A single-use token is valid for one record. */
export interface ProofSubject {
  /** The account of the request. Absent for endpoints without an account. */
  accountId?: string;
  /** The values of the path's parameters, joined with `/`. Absent for paths without parameters. */
  id?: string;
}

/** Reports whether a session's last proof is fresh. In an impersonation, it is the proof of the administrator's session. */
export const isFresh = ({ provedAt }: Pick<SignedIn, 'provedAt'>, now: Date): boolean =>
  provedAt !== undefined && now.getTime() - Date.parse(provedAt) < freshMilliseconds;

/**
 * How the user of a session proves its identity again: with a new sign-in at the identity provider, with the kind of factor that
 * the session has proved, or with the password.
 */
type ProofMethod = 'code' | 'passkey' | 'password' | 'single_sign_on';

export function proofMethodOf({ factor, signedOnTo }: Pick<SignedIn, 'factor' | 'signedOnTo'>): ProofMethod {
  if (signedOnTo) return 'single_sign_on';
  if (factor === 'passkey') return 'passkey';
  return factor ? 'code' : 'password';
}

/** Returns a hash of a subject. Tokens contain only the hash, because an id can be an email address. */
export const subjectDigest = ({ accountId = '', id = '' }: ProofSubject): string =>
  digestOf(`${accountId}\n${id}`);
