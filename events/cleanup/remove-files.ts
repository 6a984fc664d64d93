import { deleteObject, type FileTiming } from '../../shared/documents/bucket.ts';
import {
  type DocumentPlace,
  documentObject,
  incomingObject,
  type ParentType,
} from '../../shared/documents/object-keys.ts';
import {
  applicationDocuments,
  type DocumentStore,
  merchantDocuments,
  ticketDocuments,
} from '../../shared/documents/store.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { deletedParent } from './deleted-parent.ts';

const stores: Readonly<Record<ParentType, DocumentStore>> = {
  application: applicationDocuments,
  merchant: merchantDocuments,
  ticket: ticketDocuments,
};

/** Removes the files of a deleted document. Throws if the document was not deleted. */
export async function removeFile(event: Event, timing: FileTiming): Promise<void> {
  const { documentId } = event.data as { documentId?: unknown };
  if (typeof documentId !== 'number') throw new Error(`${event.kind} has no documentId.`);
  const place = { ...parentOf(event), documentId };
  if (await stores[place.parent].find(place.account, place.parentId, documentId))
    throw new Error(`${event.kind}: the document ${documentId} was not deleted.`);
  await removeObjects(place, timing);
}

/** Removes the files of all documents of a deleted record. Throws if the record was not deleted. */
export async function removeFiles(event: Event, timing: FileTiming): Promise<void> {
  await deletedParent(event);
  const parent = parentOf(event);
  const { items } = await stores[parent.parent].newestWithin(event.accountId, parent.parentId, {});
  await Promise.all(items.map(({ id }) => removeObjects({ ...parent, documentId: id }, timing)));
}

/** Returns the record that the documents belong to: the subject, or its parent if the subject is a document. */
function parentOf({ accountId, kind, subject }: Event): Omit<DocumentPlace, 'documentId'> {
  const { type, id } = subject.parent ?? subject;
  if (!hasDocuments(type)) throw new Error(`The subject of ${kind} is a ${type}, which has no documents.`);
  return { account: accountId, parent: type, parentId: id };
}

const hasDocuments = (type: string): type is ParentType => Object.hasOwn(stores, type);

/** Deletes the current versions of a document's objects. The bucket's lifecycle rules delete the old versions later. */
async function removeObjects(place: DocumentPlace, timing: FileTiming): Promise<void> {
  await Promise.all([incomingObject(place), documentObject(place)].map((key) => deleteObject(key, timing)));
}
