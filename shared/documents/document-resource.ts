import type { StoredAccount } from '../accounts/schema.ts';
import type { Effects } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import type { EventKind, Permission, ReachedType } from '../resources/registry.ts';
import type { TObject, TProperties } from '../schema.ts';
import type { Principal } from '../security/principal.ts';
import type { RecordId } from '../table/keys.ts';
import type { Authored } from '../table/revise.ts';
import type { ParentType } from './object-keys.ts';
import type { DocumentFields, KeyName, ShownDocument, StoredDocument } from './schema.ts';
import type { DocumentStore } from './store.ts';

/** The settings of the document endpoints for one kind of record `P`, such as merchants. */
export interface DocumentResource<P> {
  parent: DocumentParent<P>;
  store: DocumentStore;
  /** The path of the record, ending with the record's id: `/merchants/{merchantId}`. */
  path: string;
  /** The schema of the path parameter. */
  params: TProperties;
  /** The field of the API that contains a document's key. */
  keyName: KeyName;
  /** The response schema of a document. */
  item: TObject<DocumentFields>;
  show(document: StoredDocument): ShownDocument;
  /** True if applicants may list documents, upload documents, and delete their own uploads. */
  applicants?: true;
  /** Callers with a permission that is limited to some records of this type may call the endpoints for these records. */
  reach?: ReachedType;
  permissions: {
    read: Permission;
    /** Required to upload, complete and delete documents. */
    write: Permission;
    /** Required to change the name or key, and to approve or reject documents. */
    review: Permission;
  };
}

/** The kind of record to which documents belong. */
export interface DocumentParent<P> {
  type: ParentType;
  /** Parses or looks up the record id in a path segment. Returns undefined if the segment is not an id. */
  idFrom(text: string, account: AccountId): RecordId | undefined | Promise<RecordId | undefined>;
  /** Throws `not_found`. */
  get(account: AccountId, id: RecordId): Promise<P>;
  /**
   * Reads the fields by which callers reach the record, if `get` does not return them. Throws `not_found`. It is called in
   * addition to `get`, and only for callers who reach some of the records.
   */
  getReached?(account: AccountId, id: RecordId): Promise<object>;
  /** Returns the reference in the error about a hidden record, if it is not the id. Default: the id. */
  referenceOf?(text: string): string | undefined;
  /** Throws if the record's files may no longer change. */
  checkAcceptsFiles(parent: P): void;
  /** Throws if the record does not accept documents with this key. */
  checkKey(parent: P, key: string): void;
  /** Throws if this principal may not delete the document. Default: every principal may delete documents. */
  checkMayDelete?(parent: P, document: StoredDocument, principal: Principal): void;
  /** The kinds of events that `onFilesChanged` can emit. */
  emits?: readonly EventKind[];
  /**
   * Called when the number of counted files of a document key changes. Returns additional writes and events
   * for the record. Default: none.
   */
  onFilesChanged?: (parent: P, change: FileChange, request: FileChangeRequest) => Effects | Promise<Effects>;
}

/** A change to the files of a record. */
export interface FileChange {
  /** The change in the number of counted files, by document key. */
  uploads: ReadonlyMap<string, number>;
  /** The document after the change, or before its deletion. */
  document: StoredDocument;
}

/** A request that changes files. */
export interface FileChangeRequest extends Authored {
  accountRecord: StoredAccount;
}
