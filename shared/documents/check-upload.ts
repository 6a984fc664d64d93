import { ApiError } from '../errors.ts';
import { copyObject, type FileTiming, type FoundObject, findObject, readStart } from './bucket.ts';
import { type DocumentPlace, documentObject, incomingObject } from './object-keys.ts';
import { hasSignatureOf, signatureLength } from './rules.ts';
import type { StoredDocument } from './schema.ts';

/** What was uploaded for a document, as far as it was looked at. */
export interface UploadedObject extends FoundObject {
  start: Buffer;
}

/** Looks at what was uploaded: at its size, type and checksum and at its first bytes, side by side. */
export async function findUpload(
  place: DocumentPlace,
  timing: FileTiming,
): Promise<UploadedObject | undefined> {
  const key = incomingObject(place);
  const [found, start] = await Promise.all([
    findObject(key, timing),
    readStart(key, signatureLength, timing),
  ]);
  // Another upload came in between: it is looked at the next time.
  if (!found || found.etag !== start?.etag) return undefined;
  return { ...found, start: start.bytes };
}

/**
 * Throws `upload_missing` where nothing was uploaded, and `upload_unfit` where it is not what was described. S3 lets
 * nothing through that has another size, type or checksum; that the bytes are of their type nobody has looked at yet.
 */
export function checkUpload(
  { contentType, size, sha256 }: StoredDocument,
  arrival: UploadedObject | undefined,
): asserts arrival is UploadedObject {
  if (!arrival) throw new ApiError('upload_missing');
  const same = arrival.size === size && arrival.sha256 === sha256 && arrival.contentType === contentType;
  if (!same) throw new ApiError('upload_unfit', { message: 'The file is not the one that was described.' });
  if (!hasSignatureOf(contentType, arrival.start))
    throw new ApiError('upload_unfit', {
      message: `The file is no ${contentType}: delete this document and describe the file as what it is.`,
    });
}

/** Copies an upload to where documents are kept, and says whether it still was the one that was looked at. */
export const keepUpload = (
  place: DocumentPlace,
  { etag }: UploadedObject,
  timing: FileTiming,
): Promise<boolean> => copyObject(incomingObject(place), documentObject(place), etag, timing);
