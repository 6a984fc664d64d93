import { ApiError } from '../errors.ts';
import { copyObject, type FileTiming, type FoundObject, findObject, readStart } from './bucket.ts';
import { type DocumentPlace, documentObject, incomingObject } from './object-keys.ts';
import { isOfType, tellingBytes } from './rules.ts';
import type { StoredDocument } from './schema.ts';

/** What was uploaded for a document, as far as it was looked at. */
export interface Arrival extends FoundObject {
  start: Buffer;
}

/** Looks at what was uploaded: at its size, type and checksum and at its first bytes, side by side. */
export async function findArrival(place: DocumentPlace, timing: FileTiming): Promise<Arrival | undefined> {
  const key = incomingObject(place);
  const [found, start] = await Promise.all([findObject(key, timing), readStart(key, tellingBytes, timing)]);
  // Another upload came in between: it is looked at the next time.
  if (!found || found.etag !== start?.etag) return undefined;
  return { ...found, start: start.bytes };
}

/**
 * Throws `upload_missing` where nothing was uploaded, and `upload_unfit` where it is not what was described. S3 lets
 * nothing through that has another size, type or checksum; that the bytes are of their type nobody has looked at yet.
 */
export function judgeArrival(
  { contentType, size, sha256 }: StoredDocument,
  arrival: Arrival | undefined,
): asserts arrival is Arrival {
  if (!arrival) throw new ApiError('upload_missing');
  const same = arrival.size === size && arrival.sha256 === sha256 && arrival.contentType === contentType;
  if (!same) throw new ApiError('upload_unfit', { message: 'The file is not the one that was described.' });
  if (!isOfType(contentType, arrival.start))
    throw new ApiError('upload_unfit', {
      message: `The file is no ${contentType}: delete this document and describe the file as what it is.`,
    });
}

/** Copies an upload to where documents are kept, and says whether it still was the one that was looked at. */
export const keepArrival = (place: DocumentPlace, { etag }: Arrival, timing: FileTiming): Promise<boolean> =>
  copyObject(incomingObject(place), documentObject(place), etag, timing);
