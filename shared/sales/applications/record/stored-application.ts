import type { AccountId } from '../../../id/account-id.ts';
import type { Ownership } from '../../../people/ownership/schema.ts';
import type { Static, TSchema } from '../../../schema.ts';
import type { Encrypted } from '../../../security/encrypted-value.ts';
import type { ownerFields, Section, sectionFields, sensitiveFormFields } from './fields.ts';
import type { ApplicationAdmin, AppStatus } from './schema.ts';

type SectionFields<P extends Record<string, TSchema>, Secret extends string> = {
  [K in keyof P]?: K extends Secret ? Encrypted : Static<P[K]>;
};

type SecretsOf<S> = S extends keyof typeof sensitiveFormFields
  ? (typeof sensitiveFormFields)[S][number]
  : never;

/** A section as stored. Contains only fields that are filled in. Sensitive values are encrypted. */
type StoredSection<S extends Section> = SectionFields<(typeof sectionFields)[S], SecretsOf<S>>;

/** The sections other than `businessOwners`. Empty sections are omitted. */
export type StoredSections = { [S in Section]?: StoredSection<S> };

/** An owner as stored. `id` is a sequential number within the application. Documents refer to `uniqueId`. */
export interface StoredOwner extends SectionFields<typeof ownerFields, SecretsOf<'businessOwners'>> {
  id: number;
  uniqueId: string;
}

/** An application as stored, in one item. The `system` object in responses is derived from these fields. */
export interface StoredApplication extends StoredSections, Ownership {
  id: string;
  accountId: AccountId;
  version: number;
  createdAt: string;
  createdBy?: string;
  updatedAt: string;
  updatedBy?: string;
  /** Generated at creation. Lists are sorted by this number, because clients can choose ids in any order. */
  listId: number;
  repcode?: string;
  status: AppStatus;
  appFlags?: string;
  applicationLog?: string;
  submittedBy?: string;
  submittedAt?: string;
  decidedAt?: string;
  /** The id of the stored submission with which the application was submitted the last time. */
  submissionId?: number;
  /** The ids of the automatic rules that requested information. Each rule requests information only once. */
  requestedByRules?: number[];
  /** The time when the application was complete for the first time. Never changes afterwards. */
  completedAt?: string;
  /** The encrypted appKey, stored to show it again. Authentication uses the hash in a separate item. */
  appKey?: Encrypted;
  businessOwners: StoredOwner[];
  nextOwnerId: number;
  admin: ApplicationAdmin;
  /** The number of completed files that are not rejected, by document key. Used to derive document requirements. */
  uploads: Record<string, number>;
  /** The id of the `signed-application` document, and the time of its upload. */
  signed?: { documentId: string; at: string };
}
