import {
  accountId,
  array,
  dateTime,
  expiry,
  integer,
  multilineText,
  nullable,
  object,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import { EffectivePermissions, PermissionList } from '../roles/schema.ts';

export const PermissionEntry = object({
  name: string({ examples: ['readLeads'] }),
  description: string({ examples: ['Read leads'] }),
});

export const ApiKey = object({
  id: recordId({ readOnly: true }),
  accountId: accountId(),
  description: string({ examples: ['Nightly import'] }),
  apiKey: string({
    description: 'The public part of the key; safe to log.',
    examples: ['mo_key_acme_0Xk3P9aQe7RtY2uIoP4sDf'],
  }),
  expiresAt: nullable(dateTime({ description: 'Null: never expires.' })),
  permissions: array(PermissionEntry),
  effectivePermissions: optional(EffectivePermissions),
  lastFourOfSecret: string({ examples: ['WzYc'] }),
  lastUsedAt: optional(dateTime({ 'x-volatile': true, description: 'Updated at most once an hour.' })),
  version: integer({ examples: [1] }),
  createdBy: string({ examples: ['grace@example.com'] }),
  updatedBy: optional(string({ examples: ['grace@example.com'] })),
  createdAt: dateTime({ readOnly: true }),
  updatedAt: dateTime({ readOnly: true }),
});
export type ApiKey = Static<typeof ApiKey>;

/** The id in the path is a string, so that a request with a malformed id returns 404, not 400. */
export const ApiKeyParams = object({ id: string({ maxLength: 128, examples: ['214563398120449'] }) });

const description = multilineText({ minLength: 1, maxLength: 500, examples: ['Nightly import'] });
const expiresAt = nullable(expiry('If null or empty, the key never expires.'));

export const ApiKeyInput = object({
  description,
  expiresAt: optional(expiresAt),
  flatPermissionsList: optional(PermissionList.properties.flatPermissionsList),
});

export const ApiKeyPatch = object({ description: optional(description), expiresAt: optional(expiresAt) });

/** A stored API key, with only the hash and the last four characters of its secret. */
export interface StoredApiKey
  extends Omit<ApiKey, 'permissions' | 'effectivePermissions' | 'lastUsedAt' | 'expiresAt'> {
  /** If absent, the key never expires. */
  expiresAt?: string;
  flatPermissionsList: string[];
  /** True if `flatPermissionsList` states whether the key shows sensitive values; see `permissionsOfKey`. */
  statesReveal?: true;
  secretHash: string;
  /** Incremented to end all sessions of the key. */
  sessionEpoch: number;
}
