import { ApiError, invalid } from '../errors.ts';
import { type Authored, revise } from '../table/revise.ts';
import type { DocumentPatch, StoredDocument } from './schema.ts';

/**
 * The document after a reviewer has said something of it. Who rejects says why; a reason is about the status that it
 * came with. Throws `upload_missing` where a file is judged that nobody has uploaded.
 */
export function applyReview(
  document: StoredDocument,
  { name, documentKey, type, status = document.status, reason }: DocumentPatch,
  request: Authored,
): StoredDocument {
  if (status !== 'pending' && document.uploadedDate === undefined) throw new ApiError('upload_missing');
  const kept = status === document.status ? document.reason : undefined;
  const said = reason ?? kept ?? null;
  if (status === 'rejected' && said === null) throw invalid('reason', 'is required to reject a document');
  return revise(document, { name, key: documentKey ?? type, status, reason: said }, request);
}
