import { changesBetween } from '../events/changes.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { ParentType } from './object-keys.ts';
import type { StoredDocument } from './schema.ts';

/** What events tell of a document. Their subject is the record that it hangs on, whose audit log shows them. */
interface DocumentData {
  documentId: number;
  documentKey: string;
  name: string;
  contentType: string;
  /** In bytes. */
  size: number;
}

declare module '../events/data.ts' {
  interface NounEvents {
    document: {
      file_deleted: DocumentData;
      file_meta_data_updated: DocumentData & Changed;
      file_requested: DocumentData;
      file_upload_url_requested: DocumentData;
      file_uploaded: DocumentData;
    };
  }
}

type PlainKind = 'file_deleted' | 'file_requested' | 'file_upload_url_requested' | 'file_uploaded';

/** The event of something that happened to a document. */
export const documentEvent = (kind: PlainKind, parent: ParentType, document: StoredDocument): EventDraft => ({
  kind,
  subject: { type: parent, id: document.parentId },
  data: dataOf(document),
});

/** The event of a document of which something else is said now; none where it is the same. */
export function documentUpdated(
  parent: ParentType,
  before: StoredDocument,
  after: StoredDocument,
): EventDraft[] {
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length === 0) return [];
  const subject = { type: parent, id: after.parentId };
  return [{ kind: 'file_meta_data_updated', subject, data: { ...dataOf(after), changes } }];
}

const dataOf = ({ id, key, name, contentType, size }: StoredDocument): DocumentData => ({
  documentId: id,
  documentKey: key,
  name,
  contentType,
  size,
});
