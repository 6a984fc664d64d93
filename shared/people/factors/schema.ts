import {
  array,
  boolean,
  credential,
  dateTime,
  integer,
  nameText,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
} from '../../schema.ts';

const name = nameText({ maxLength: 100, examples: ['Phone'] });

export const Factor = object({
  id: recordId(),
  type: oneOf(['totp'], { description: 'An authenticator app (RFC 6238).' }),
  name,
  confirmed: boolean({ description: 'If false, the factor is not used for logins.' }),
  createdAt: dateTime(),
  lastUsedAt: optional(dateTime()),
});

export const Factors = object({
  factors: array(Factor),
  recoveryCodesLeft: integer({ description: 'The recovery codes that were not used.', examples: [10] }),
});

export const FactorInput = object({ type: oneOf(['totp']), name });
export type FactorInput = Static<typeof FactorInput>;

export const FactorParams = object({ factorId: recordId() });

/** Spaces and hyphens in a code are ignored. */
const code = (description: string) =>
  credential({ minLength: 1, maxLength: 64, description, examples: ['492039'] });

export const AppCode = code('A code of six digits from the authenticator app.');
export const Code = code('A code of six digits from an authenticator app, or a recovery code.');

export const NewFactor = object({
  factor: Factor,
  secret: credential({
    description: 'The secret in base 32, for apps into which it is typed. Shown only once.',
    examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  }),
  uri: credential({
    description: 'The secret as an otpauth URI, which apps read as a QR code. Shown only once.',
    examples: ['otpauth://totp/merchant-ops:grace%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=merchant-ops'],
  }),
});

const recoveryCodes = array(credential({ examples: ['ABCD-EFGH-JKMN-PQRS'] }), {
  description: 'Each code replaces a code of an authenticator app once. Shown only once.',
});

export const RecoveryCodes = object({ recoveryCodes });

export const ConfirmedFactor = object({
  factor: Factor,
  recoveryCodes: optional(recoveryCodes),
});

/** The response of a login that needs a second factor. */
export const FactorNeeded = object({
  mfaRequired: boolean({ examples: [true] }),
  challenge: credential({
    maxLength: 2048,
    description: 'Send it with a code to POST /auth/login/verify within five minutes.',
    examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyOjEifQ.c2lnbmF0dXJl'],
  }),
  expiresAt: dateTime(),
});

export interface StoredFactor {
  id: number;
  type: 'totp';
  name: string;
  createdAt: string;
  /** Absent until the person has sent a code. */
  confirmedAt?: string;
  lastUsedAt?: string;
  /** The data key of the secret, wrapped by KMS. */
  wrappedKey: string;
  /** The secret in base 32, encrypted. */
  secret: string;
  /** The time step of the last accepted code. Only codes of later steps are accepted. */
  lastStep?: number;
}

/** The second factors of a person, in one item next to the person. */
export interface StoredFactors {
  factors: StoredFactor[];
  /** The hashes of the recovery codes that were not used. */
  recoveryCodes: string[];
  /** The wrong codes since the last accepted code. */
  failures: number;
  /** Until this time, no code is checked. */
  retryAt?: string;
  version: number;
}
