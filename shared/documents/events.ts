import { changesBetween } from '../events/changes.ts';
import type { EventDraft, Subject } from '../events/envelope.ts';
import { subjectOf } from '../events/subject.ts';
import type { ParentType } from './object-keys.ts';
import type { StoredDocument } from './schema.ts';

type PlainKind = 'file_deleted' | 'file_requested' | 'file_upload_url_requested' | 'file_uploaded';

export const documentEvent = (kind: PlainKind, parent: ParentType, document: StoredDocument): EventDraft => ({
  kind,
  subject: aboutDocument(parent, document),
  data: dataOf(document),
});

/** Returns the event for changed metadata, or an empty array if nothing changed. */
export function documentUpdated(
  parent: ParentType,
  before: StoredDocument,
  after: StoredDocument,
): EventDraft[] {
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length === 0) return [];
  return [
    {
      kind: 'file_meta_data_updated',
      subject: aboutDocument(parent, after),
      data: { ...dataOf(after), changes },
    },
  ];
}

/**
 * Returns the subject of a document event. The subject's parent is the record to which the document belongs, so
 * that an application's audit log includes the event.
 */
const aboutDocument = (parent: ParentType, document: StoredDocument): Subject<'document'> =>
  subjectOf(
    {
      subject: 'document',
      describe: ({ name, parentId }: StoredDocument) => ({
        label: name,
        parent: { type: parent, id: parentId },
      }),
    },
    document,
  );

/** The data of a document event. */
const dataOf = ({ id, key, name, contentType, size }: StoredDocument) => ({
  documentId: id,
  documentKey: key,
  name,
  contentType,
  size,
});
