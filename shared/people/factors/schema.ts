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
  string,
  unsafe,
} from '../../schema.ts';

const name = nameText({ maxLength: 100, examples: ['Phone'] });

const factorType = oneOf(['totp', 'passkey'], {
  description: '`totp`: an authenticator app (RFC 6238). `passkey`: a passkey (WebAuthn).',
});

export const Factor = object({
  id: recordId(),
  type: factorType,
  name,
  confirmed: boolean({ description: 'If false, the factor is not used for logins.' }),
  createdAt: dateTime(),
  lastUsedAt: optional(dateTime()),
});

export const Factors = object({
  factors: array(Factor),
  recoveryCodesLeft: integer({ description: 'The recovery codes that were not used.', examples: [10] }),
});

export const FactorInput = object({ type: factorType, name });
export type FactorInput = Static<typeof FactorInput>;

export const FactorParams = object({ factorId: recordId() });

/** Spaces and hyphens in a code are ignored. */
const code = (description: string) =>
  credential({ minLength: 1, maxLength: 64, description, examples: ['492039'] });

const AppCode = code('A code of six digits from the authenticator app.');
export const Code = code('A code of six digits from an authenticator app, or a recovery code.');

const base64url = (example: string, annotations: { description?: string } = {}) =>
  string({ maxLength: 2048, examples: [example], ...annotations });
const challengeBytes = base64url('q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA');
const credentialId = base64url('mXz0b7pQkQyA3tC1');
const timeout = integer({ description: 'Milliseconds.', examples: [300_000] });
const publicKeyOnly = oneOf(['public-key']);
const requiredOnly = oneOf(['required']);

/** The options for `navigator.credentials.create` in the JSON form of WebAuthn Level 3, 5.1. */
const CreationOptions = object(
  {
    rp: object({ id: string({ examples: ['example.com'] }), name: string({ examples: ['merchant-ops'] }) }),
    user: object({
      id: base64url('MjQ0NjUwMDI1MjA0OTQ0'),
      name: string({ examples: ['grace@example.com'] }),
      displayName: string({ examples: ['Grace Hopper'] }),
    }),
    challenge: challengeBytes,
    pubKeyCredParams: array(object({ type: publicKeyOnly, alg: integer({ examples: [-7] }) })),
    timeout,
    excludeCredentials: array(
      object({
        id: credentialId,
        type: publicKeyOnly,
        transports: optional(array(string({ examples: ['internal'] }))),
      }),
      { description: 'The passkeys of the user, so that an authenticator creates no second one.' },
    ),
    authenticatorSelection: object({
      residentKey: requiredOnly,
      requireResidentKey: boolean({ examples: [true] }),
      userVerification: requiredOnly,
    }),
    attestation: oneOf(['none']),
  },
  {
    description:
      'Only for a passkey: pass it to `PublicKeyCredential.parseCreationOptionsFromJSON`, and the result to `navigator.credentials.create`.',
  },
);
export type CreationOptions = Static<typeof CreationOptions>;

const requestOptions = (description: string) =>
  object(
    {
      rpId: string({ examples: ['example.com'] }),
      challenge: challengeBytes,
      timeout,
      userVerification: requiredOnly,
    },
    {
      description: `${description} Pass it to \`PublicKeyCredential.parseRequestOptionsFromJSON\`, and the result to \`navigator.credentials.get\`.`,
    },
  );

export const NewFactor = object({
  factor: Factor,
  secret: optional(
    credential({
      description:
        'Only for an authenticator app: the secret in base 32, for apps into which it is typed. Shown only once.',
      examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
    }),
  ),
  uri: optional(
    credential({
      description:
        'Only for an authenticator app: the secret as an otpauth URI, which apps read as a QR code. Shown only once.',
      examples: [
        'otpauth://totp/merchant-ops:grace%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=merchant-ops',
      ],
    }),
  ),
  publicKey: optional(CreationOptions),
});

/** The JSON forms of a new passkey and of a use of a passkey, as `toJSON` of a browser returns them. */
interface CredentialJson<R> {
  id: string;
  rawId: string;
  type: 'public-key';
  response: R & { clientDataJSON: string };
}
export type NewCredential = CredentialJson<{ attestationObject: string; transports?: string[] }>;
export type UsedCredential = CredentialJson<{
  authenticatorData: string;
  signature: string;
  userHandle?: string | null;
}>;

/** Browsers may add fields to the result of `toJSON`. Unknown fields are ignored. */
const credentialJson = <C extends CredentialJson<unknown>>(
  required: string[],
  others: Record<string, unknown>,
  description: string,
) => {
  const text = { type: 'string', minLength: 1, maxLength: 16_384 };
  const named = Object.fromEntries(['clientDataJSON', ...required].map((one) => [one, text]));
  return unsafe<C>({
    type: 'object',
    description,
    properties: {
      id: { ...text, maxLength: 2048 },
      rawId: { ...text, maxLength: 2048 },
      type: { type: 'string', enum: ['public-key'] },
      response: {
        type: 'object',
        properties: { ...named, ...others },
        required: ['clientDataJSON', ...required],
        additionalProperties: true,
      },
    },
    required: ['id', 'rawId', 'type', 'response'],
    additionalProperties: true,
    'x-max-bytes': 32 * 1024,
  });
};

const NewCredential = credentialJson<NewCredential>(
  ['attestationObject'],
  { transports: { type: 'array', items: { type: 'string', maxLength: 32 }, maxItems: 10 } },
  'The new passkey: the result of `toJSON` of the object that `navigator.credentials.create` returns.',
);
export const UsedCredential = credentialJson<UsedCredential>(
  ['authenticatorData', 'signature'],
  { userHandle: { type: ['string', 'null'], maxLength: 128 } },
  'The use of a passkey: the result of `toJSON` of the object that `navigator.credentials.get` returns.',
);

/** `code` for an authenticator app, or `credential` for a passkey. */
export const FactorProof = object(
  { code: optional(AppCode), credential: optional(NewCredential) },
  { examples: [{ code: '492039' }] },
);
export type FactorProof = Static<typeof FactorProof>;

const recoveryCodes = array(credential({ examples: ['ABCD-EFGH-JKMN-PQRS'] }), {
  description: 'Each code replaces a code of an authenticator app once. Shown only once.',
});

export const RecoveryCodes = object({ recoveryCodes });

export const ConfirmedFactor = object({
  factor: Factor,
  recoveryCodes: optional(recoveryCodes),
});

const exampleChallenge = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyOjEifQ.c2lnbmF0dXJl';

const challenge = credential({
  maxLength: 2048,
  description: 'Send it to POST /auth/login/verify within five minutes, with a code or the use of a passkey.',
  examples: [exampleChallenge],
});

export const PasskeyChallenge = credential({
  maxLength: 2048,
  description: 'With `credential`: the challenge of POST /auth/login/passkey.',
  examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIifQ.c2lnbmF0dXJl'],
});

/** The response of a login that needs a second factor. */
export const FactorNeeded = object({
  mfaRequired: boolean({ examples: [true] }),
  challenge,
  expiresAt: dateTime(),
  publicKey: optional(requestOptions('Present if the user has a passkey.')),
});

/** The response to the start of a login with a passkey alone. */
export const PasskeyRequest = object({
  challenge,
  expiresAt: dateTime(),
  publicKey: requestOptions('The browser offers the passkeys that it has for this site.'),
});

/** `code` for an authenticator app or a recovery code, or `credential` for a passkey. */
export const FactorUseInput = object(
  { challenge, code: optional(Code), credential: optional(UsedCredential) },
  { examples: [{ challenge: exampleChallenge, code: '492039' }] },
);
export type FactorUseInput = Static<typeof FactorUseInput>;

interface AnyStoredFactor {
  id: number;
  name: string;
  createdAt: string;
  /** Absent until the person has proved the factor for the first time. */
  confirmedAt?: string;
  lastUsedAt?: string;
}

export interface StoredTotp extends AnyStoredFactor {
  type: 'totp';
  /** The data key of the secret, wrapped by KMS. */
  wrappedKey: string;
  /** The secret in base 32, encrypted. */
  secret: string;
  /** The time step of the last accepted code. Only codes of later steps are accepted. */
  lastStep?: number;
}

export interface StoredPasskey extends AnyStoredFactor {
  type: 'passkey';
  /** The challenge of the creation, in base64url. Present only until the passkey is confirmed. */
  challenge?: string;
  /** Present from the confirmation on. */
  credential?: StoredCredential;
}

/** The public part of a passkey. All texts are in base64url. */
export interface StoredCredential {
  id: string;
  /** The public key as a COSE key. */
  publicKey: string;
  /** The authenticator's count of its signatures. Many authenticators always send 0. */
  counter: number;
  /** How a browser reaches the authenticator, such as `internal` or `usb`. */
  transports?: string[];
}

export type StoredFactor = StoredTotp | StoredPasskey;

export interface UsedChallenge {
  /** The bytes that the passkey has signed, in base64url. */
  challenge: string;
  expiresAt: string;
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
  /** The challenges of accepted uses of passkeys, until they expire. Each works once. */
  usedChallenges?: UsedChallenge[];
  version: number;
}
