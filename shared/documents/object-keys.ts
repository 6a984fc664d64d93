import type { AccountId } from '../id/account-id.ts';

/** The kinds of records that have documents. Object keys and events contain these names. */
export type ParentType = 'application' | 'merchant' | 'ticket';

/** The ids of the document to which an object belongs. */
export interface DocumentPlace {
  account: AccountId;
  parent: ParentType;
  parentId: number | string;
  documentId: number;
}

/**
 * The prefixes of object keys: `incoming` for uploads, `documents` for checked files, and `exports` for the exports of
 * closed accounts.
 */
export const bucketPrefixes = ['incoming', 'documents', 'exports'] as const;
type BucketPrefix = (typeof bucketPrefixes)[number];

/** The key of an upload. A lifecycle rule of the bucket deletes the upload after a day. */
export const incomingObject = (place: DocumentPlace): string => objectKey('incoming', place);

/** The key of a completed document. */
export const documentObject = (place: DocumentPlace): string => objectKey('documents', place);

/** The key of an uploaded bank statement. The import deletes it, or else the lifecycle rule of uploads. */
export const statementObject = (account: AccountId, uploadId: number): string =>
  ['incoming', account, 'bank-statement', uploadId].join('/');

/** The key of an uploaded file of residuals. The job that reads it deletes it, or else the lifecycle rule of uploads. */
export const residualObject = (account: AccountId, fileId: number): string =>
  ['incoming', account, 'residual-file', fileId].join('/');

/** The key of a part of the export of a closed account. A lifecycle rule of the bucket deletes it after 31 days. */
export const exportObject = (account: AccountId, part: string): string =>
  ['exports', account, part].join('/');

/** The account comes before the other ids, as in the table's keys. No part contains a slash. */
const objectKey = (
  prefix: Exclude<BucketPrefix, 'exports'>,
  { account, parent, parentId, documentId }: DocumentPlace,
): string => [prefix, account, parent, parentId, documentId].join('/');
