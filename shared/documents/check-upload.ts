import { ApiError } from '../errors.ts';
import { copyObject, type FileTiming, type FoundObject, findObject, readStart } from './bucket.ts';
import { type DocumentPlace, documentObject, incomingObject } from './object-keys.ts';
import { hasSignatureOf, signatureLength } from './rules.ts';
import type { StoredDocument } from './schema.ts';

/** An uploaded object and its first bytes. */
export interface UploadedObject extends FoundObject {
  start: Buffer;
}

/** Reads the size, type, checksum and first bytes of an upload in parallel. */
export async function findUpload(
  place: DocumentPlace,
  timing: FileTiming,
): Promise<UploadedObject | undefined> {
  const key = incomingObject(place);
  const [found, start] = await Promise.all([
    findObject(key, timing),
    readStart(key, signatureLength, timing),
  ]);
  // The upload is missing, or was replaced between the two reads. After a replacement, the client must repeat
  // the request.
  if (!found || found.etag !== start?.etag) return undefined;
  return { ...found, start: start.bytes };
}

/** Throws `upload_missing` if nothing was uploaded, and `upload_unfit` if the file differs from its description. */
export function requireDescribed(
  described: Pick<FoundObject, 'size' | 'sha256'> & Partial<Pick<FoundObject, 'contentType'>>,
  upload: FoundObject | undefined,
): asserts upload is FoundObject {
  if (!upload) throw new ApiError('upload_missing');
  const { size, sha256, contentType = upload.contentType } = described;
  if (upload.size !== size || upload.sha256 !== sha256 || upload.contentType !== contentType)
    throw new ApiError('upload_unfit', { message: 'The uploaded file differs from its description.' });
}

/**
 * Checks an upload like `requireDescribed`, and its first bytes. S3 accepts only uploads with the signed size, type and
 * checksum. It does not check whether the bytes are of this type, so this function checks their signature.
 */
export function checkUpload(
  document: StoredDocument,
  upload: UploadedObject | undefined,
): asserts upload is UploadedObject {
  requireDescribed(document, upload);
  const { contentType } = document;
  if (!hasSignatureOf(contentType, upload.start))
    throw new ApiError('upload_unfit', {
      message: `The file is not of the type ${contentType}. Delete this document, and create a new document with the correct contentType.`,
    });
}

/** Copies a checked upload to its permanent key. Returns false if the upload was replaced after the check. */
export const keepUpload = (
  place: DocumentPlace,
  { etag }: UploadedObject,
  timing: FileTiming,
): Promise<boolean> => copyObject(incomingObject(place), documentObject(place), etag, timing);
