import type { AccountId } from '../id/account-id.ts';

/** The kinds of records that documents hang on, as object keys and events name them. */
export type ParentType = 'application' | 'merchant' | 'ticket';

/** Which document an object is of. */
export interface DocumentPlace {
  account: AccountId;
  parent: ParentType;
  parentId: number | string;
  documentId: number;
}

/** The two halves of the bucket: what somebody uploads, and what has been judged and is kept. */
export const bucketPrefixes = ['incoming', 'documents'] as const;
type BucketPrefix = (typeof bucketPrefixes)[number];

/** Where an upload goes. A lifecycle rule of the bucket removes what lies there for a day. */
export const incomingObject = (place: DocumentPlace): string => objectKey('incoming', place);

/** Where a completed document is kept. */
export const documentObject = (place: DocumentPlace): string => objectKey('documents', place);

/** The account comes first, as in the table. No part holds a slash. */
const objectKey = (prefix: BucketPrefix, { account, parent, parentId, documentId }: DocumentPlace): string =>
  [prefix, account, parent, parentId, documentId].join('/');
