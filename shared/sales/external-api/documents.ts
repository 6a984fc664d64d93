import { findUpload, type UploadedObject } from '../../documents/check-upload.ts';
import type { StoredDocument } from '../../documents/schema.ts';
import { applicationDocuments } from '../../documents/store.ts';
import { notFound } from '../../errors.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { SignedIn } from '../../security/principal.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { applicationSubject } from '../applications/record/event-fields.ts';
import type { StoredApplication } from '../applications/record/stored-application.ts';
import { readOwnApplication } from './read-application.ts';
import { originOf } from './save-application.ts';
import type { ExternalDocument } from './schema.ts';

interface DocumentReader {
  account: AccountId;
  principal: SignedIn;
  params: { externalId: string; documentId: string };
  now: Date;
  deadline: number;
}

/** Reads a document that the caller created, with its application and the uploaded file. Throws `not_found`. */
export async function readOwnDocument(
  reader: DocumentReader,
): Promise<{ application: StoredApplication; document: StoredDocument; upload?: UploadedObject }> {
  const { account, principal } = reader;
  const application = await readOwnApplication(reader);
  const documentId = Number(reader.params.documentId);
  const place = { account, parent: 'application', parentId: application.id, documentId } as const;
  const [document, upload] = await inParallel([
    applicationDocuments.get(account, application.id, documentId),
    findUpload(place, reader),
  ]);
  if (document.createdBy !== principal.actor.user) throw notFound('document', documentId);
  return { application, document, upload };
}

/** Returns the event of a document that the key has uploaded. */
export const documentTransferred = (application: StoredApplication, { key }: StoredDocument): EventDraft => ({
  kind: 'extapi_documents_transferred',
  subject: subjectOf(applicationSubject, application),
  data: { ...originOf(application), documentKey: key },
});

export const showExternalDocument = ({
  id,
  contentType,
  size,
  sha256,
  createdAt,
  uploadedDate,
}: StoredDocument): ExternalDocument => ({
  id: String(id),
  contentType,
  size,
  sha256,
  createdAt,
  uploadedDate,
});
