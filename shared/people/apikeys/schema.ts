import {
  accountId,
  array,
  dateTime,
  integer,
  nullable,
  object,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import { PermissionList } from '../roles/schema.ts';

export const PermissionEntry = object({
  name: string({ examples: ['readLeads'] }),
  description: string({ examples: ['Read leads'] }),
});

/** An API key as the API shows it. Interface, "API key". */
export const ApiKey = object({
  id: recordId({ readOnly: true }),
  accountId: accountId(),
  description: string({ examples: ['Nightly import'] }),
  apiKey: string({
    description: 'The public half; safe to log.',
    examples: ['mo_key_acme_0Xk3P9aQe7RtY2uIoP4sDf'],
  }),
  expiresAt: nullable(dateTime({ description: 'Null: never.' })),
  permissions: array(PermissionEntry),
  lastFourOfSecret: string({ examples: ['WzYc'] }),
  lastUsedAt: optional(dateTime({ 'x-volatile': true, description: 'Written at most once an hour.' })),
  version: integer({ examples: [1] }),
  createdBy: string({ examples: ['grace@example.com'] }),
  updatedBy: optional(string({ examples: ['grace@example.com'] })),
  createdAt: dateTime({ readOnly: true }),
  updatedAt: dateTime({ readOnly: true }),
});
export type ApiKey = Static<typeof ApiKey>;

/** `id` is text in the interface; an id that is no number is one that nobody has. */
export const ApiKeyParams = object({ id: string({ maxLength: 128, examples: ['214563398120449'] }) });

const description = string({ minLength: 1, maxLength: 500, examples: ['Nightly import'] });
const expiresAt = nullable(
  string({
    maxLength: 40,
    description: 'A date-time; null or empty: never.',
    examples: ['2099-01-01T00:00:00Z'],
  }),
);

export const ApiKeyInput = object({
  description,
  expiresAt: optional(expiresAt),
  flatPermissionsList: optional(PermissionList.properties.flatPermissionsList),
});

export const ApiKeyPatch = object({ description: optional(description), expiresAt: optional(expiresAt) });

/** An API key as it is stored: of the secret only its hash and last four characters. */
export interface StoredApiKey extends Omit<ApiKey, 'permissions' | 'lastUsedAt' | 'expiresAt'> {
  /** Absent: never. */
  expiresAt?: string;
  flatPermissionsList: string[];
  secretHash: string;
  /** Moves on when all sessions of the key are ended. */
  sessionEpoch: number;
}
