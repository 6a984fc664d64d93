import {
  array,
  boolean,
  credential,
  dateTime,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
  webAddress,
} from '../schema.ts';
import { recordFields } from '../table/record-fields.ts';

const roles = array(string({ maxLength: 100, examples: ['Sales agent'] }), {
  maxItems: 20,
  description: 'Role names.',
});

const RoleMapping = object({
  claim: string({
    minLength: 1,
    maxLength: 100,
    description: 'The name of a claim of the ID token or of userinfo: a text, or a list of texts.',
    examples: ['groups'],
  }),
  value: string({ minLength: 1, maxLength: 200, examples: ['Sales'] }),
  roles,
  teamId: optional(
    recordId({ description: 'The team of the member. The first mapping with a team applies.' }),
  ),
});

const settings = {
  issuer: webAddress({
    maxLength: 512,
    description:
      'The issuer, exactly as the provider publishes it in `/.well-known/openid-configuration`. Must be public and use https.',
    examples: ['https://login.example.com'],
  }),
  clientId: string({ minLength: 1, maxLength: 256, examples: ['merchant-ops'] }),
  domains: array(string({ minLength: 1, maxLength: 253, examples: ['example.com'] }), {
    maxItems: 10,
    description:
      'The domains of the members’ addresses. Each must be a validated vanity domain of the account, and belong to no other connection.',
  }),
  returnUrls: array(webAddress({ examples: ['https://portal.example.com/signed-in'] }), {
    minItems: 1,
    maxItems: 10,
    description: 'The pages to which a browser may return after a sign-in. Compared exactly.',
  }),
};

const options = {
  enforced: boolean({
    default: false,
    description:
      'If true, members with an address in `domains` can use this account only in sessions by single sign-on. To set it, the caller needs such a session if it applies to the caller.',
  }),
  provisioning: boolean({
    default: false,
    description:
      'If true, a first sign-in with a verified address in `domains` creates a member. Otherwise, the member must exist.',
  }),
  secondFactor: oneOf(['never', 'amr', 'always'], {
    default: 'amr',
    description:
      'Whether a sign-in counts as a second factor for `mfa` of the account. `amr`: only if the claim `amr` of the ID token contains `mfa` (RFC 8176).',
  }),
  defaultRoles: roles,
  roleMappings: array(RoleMapping, {
    maxItems: 50,
    description:
      'The roles and teams for values of claims. A member gets the roles of all matching mappings.',
  }),
  rolesAtEverySignIn: boolean({
    default: false,
    description:
      'If true, each sign-in replaces the roles of the member, except of an administrator. Otherwise, only the creation of a member sets roles.',
  }),
};

const authentication = oneOf(['client_secret_basic', 'client_secret_post', 'private_key_jwt'], {
  description: 'How the service authenticates at the token endpoint.',
});
const keyId = string({
  minLength: 1,
  maxLength: 256,
  description: 'The id (`kid`) under which the provider stores the public key.',
  examples: ['2026-03'],
});

/** The secret of a connection, which no response contains. */
const secrets = {
  clientSecret: credential({
    minLength: 1,
    maxLength: 1024,
    description: 'Required for `client_secret_basic` and `client_secret_post`. Never shown.',
    examples: ['7Qm2xV9bN4kT1wZ8cR5yH3jL6pF0dGsA'],
  }),
  privateKey: credential({
    minLength: 1,
    maxLength: 8192,
    'x-text': 'multiline',
    description:
      'Required for `private_key_jwt`: a private key in PEM (PKCS #8). RSA of at least 2,048 bits, P-256 or Ed25519. Never shown.',
    examples: ['-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----'],
  }),
};

export const SsoConnection = object({
  ...recordFields,
  ...settings,
  ...options,
  authentication,
  keyId: optional(keyId),
  secretChangedAt: dateTime({ readOnly: true, description: 'When the secret or the private key was set.' }),
  startPath: string({
    readOnly: true,
    description: 'Begins a sign-in. Add `returnTo` and `codeChallenge`.',
    examples: ['/auth/sso/start?accountId=acme&connectionId=214563398120449'],
  }),
  callbackPath: string({
    readOnly: true,
    description: 'Register it at the provider as the redirect URI, with the address of this API.',
    examples: ['/auth/sso/callback'],
  }),
  logoutPath: string({
    readOnly: true,
    description: 'Register it at the provider for back-channel logout, with the address of this API.',
    examples: ['/auth/sso/logout/acme/214563398120449'],
  }),
});
export type SsoConnection = Static<typeof SsoConnection>;

export const SsoConnectionInput = object({
  ...settings,
  ...partial(options).properties,
  authentication,
  keyId: optional(keyId),
  ...partial(secrets).properties,
});
export type SsoConnectionInput = Static<typeof SsoConnectionInput>;

export const SsoConnectionPatch = partial({
  ...settings,
  ...options,
  authentication,
  keyId: nullable(keyId),
  ...secrets,
});
export type SsoConnectionPatch = Static<typeof SsoConnectionPatch>;

/** A mapping with the ids of its roles, so that a renamed role keeps its mapping. */
export interface StoredRoleMapping {
  claim: string;
  value: string;
  roleIds: number[];
  teamId?: number;
}

export interface StoredSsoConnection
  extends Omit<SsoConnection, 'defaultRoles' | 'roleMappings' | 'startPath' | 'callbackPath' | 'logoutPath'> {
  defaultRoleIds: number[];
  roleMappings: StoredRoleMapping[];
  /** The client secret or the private key, encrypted. */
  secret: string;
}

/** A user of an identity provider, after the ID token was verified. */
export interface ProviderUser {
  issuer: string;
  subject: string;
  /** The address, only if the provider has verified it. */
  email?: string;
  name?: string;
  /** The id of the session at the provider, for back-channel logout. */
  sid?: string;
  /** When the user proved the identity to the provider. Absent if this is not known. */
  provedAt?: string;
  /** True if the provider asked for a second factor. */
  secondFactor: boolean;
  /** The positions of the connection's mappings that match the claims. */
  mappings: number[];
}

export const SsoSession = object({
  token: credential({
    maxLength: 8192,
    description: 'Send the token as Authorization: Bearer <token>. It is valid in this account only.',
    examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl'],
  }),
  accountId: recordFields.accountId,
  email: string({ examples: ['grace@example.com'] }),
  expiresAt: dateTime(),
});
