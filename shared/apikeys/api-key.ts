import { array, dateTime, integer, nullable, object, optional, type Static, string } from '../schema.ts';

export const PermissionEntry = object({ name: string(), description: string() });

/** An API key as the API shows it. Interface, "API key". */
export const ApiKey = object({
  id: integer({ readOnly: true }),
  accountId: string(),
  description: string(),
  apiKey: string({ description: 'The public half; safe to log.' }),
  expiresAt: nullable(dateTime({ description: 'Null: never.' })),
  permissions: array(PermissionEntry),
  lastFourOfSecret: string(),
  lastUsedAt: optional(dateTime({ description: 'Written at most once an hour.' })),
  version: integer(),
  createdBy: string(),
  updatedBy: optional(string()),
  createdAt: dateTime({ readOnly: true }),
  updatedAt: dateTime({ readOnly: true }),
});
export type ApiKey = Static<typeof ApiKey>;

/** An API key as it is stored: of the secret only its hash and last four characters. */
export interface StoredApiKey extends Omit<ApiKey, 'permissions' | 'lastUsedAt'> {
  flatPermissionsList: string[];
  secretHash: string;
}
