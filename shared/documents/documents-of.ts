import type { TObject, TProperties } from '../schema.ts';
import type { Permission } from '../security/permissions.ts';
import type { DocumentParent } from './document-parent.ts';
import type { DocumentFields, KeyName, ShownDocument, StoredDocument } from './schema.ts';
import type { DocumentStore } from './store.ts';

/** Documents of one kind of record: what the endpoints about them have to know. */
export interface DocumentsOf<P> {
  parent: DocumentParent<P>;
  store: DocumentStore;
  /** The path of the record, which ends in its id: `/merchants/{merchantId}`. */
  path: string;
  /** The schema of the parameter in it. */
  params: TProperties;
  /** What a document's key is called. */
  keyName: KeyName;
  /** A document in a response: these fields and its own. */
  item: TObject<DocumentFields>;
  show(document: StoredDocument): ShownDocument;
  /** Whether the key of the record stands in for a token: to list, to upload and complete, to delete what was uploaded by it. */
  applicants?: true;
  permissions: {
    read: Permission;
    /** To upload, to complete and to delete. */
    write: Permission;
    /** To say something else of a document, and to approve or reject it. */
    review: Permission;
  };
}
