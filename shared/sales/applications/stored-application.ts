import type { AccountId } from '../../id/account-id.ts';
import type { Static, TSchema } from '../../schema.ts';
import type { Sealed } from '../../security/sealed-value.ts';
import type { ownerFields, Section, sectionFields, sensitiveFields } from './fields.ts';
import type { ApplicationAdmin, AppStatus } from './schema.ts';

type SectionFields<P extends Record<string, TSchema>, Secret extends string> = {
  [K in keyof P]?: K extends Secret ? Sealed : Static<P[K]>;
};

type SecretsOf<S> = S extends keyof typeof sensitiveFields ? (typeof sensitiveFields)[S][number] : never;

/** A section as it is stored: what is filled in, sensitive values sealed. */
type StoredSection<S extends Section> = SectionFields<(typeof sectionFields)[S], SecretsOf<S>>;

/** The sections that are one object, each absent while it is empty. */
export type StoredSections = { [S in Section]?: StoredSection<S> };

/** An owner as it is stored. `id` counts up within the application; documents name it by `uniqueId`. */
export interface StoredOwner extends SectionFields<typeof ownerFields, SecretsOf<'businessOwners'>> {
  id: number;
  uniqueId: string;
}

/** An application as the table holds it: one item. What `system` shows is derived from it. */
export interface StoredApplication extends StoredSections {
  id: string;
  accountId: AccountId;
  version: number;
  createdAt: string;
  createdBy?: string;
  updatedAt: string;
  updatedBy?: string;
  /** Minted at creation; lists go by it, because an id that a client chose has no age. */
  listId: number;
  repcode?: string;
  status: AppStatus;
  appFlags?: string;
  applicationLog?: string;
  submittedBy?: string;
  submittedAt?: string;
  decidedAt?: string;
  /** When it was complete for the first time; it stays, whatever changes later. */
  completedAt?: string;
  /** The key of the merchant's link, for those who may see it. What it is compared with is an item of its own. */
  appKey?: Sealed;
  businessOwners: StoredOwner[];
  /** The id that the next owner gets. */
  nextOwnerId: number;
  admin: ApplicationAdmin;
  /** Completed files that are not rejected, by document key: all that requirements look at. */
  uploads: Record<string, number>;
  /** When the document `signed-application` was completed, and its id. */
  signed?: { documentId: string; at: string };
}
