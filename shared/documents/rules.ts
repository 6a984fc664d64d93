import type { Applicant } from '../security/principal.ts';

/** In bytes: 25 MB. */
export const maxFileSize = 25 * 1024 * 1024;
export const maxFilesPerKey = 10;
export const maxFilesPerRecord = 100;
/** How long a signed upload and a download link are valid, in seconds. */
export const uploadSeconds = 15 * 60;
export const linkSeconds = 5 * 60;

export const documentStatuses = ['pending', 'approved', 'rejected'] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

export const contentTypes = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/heic',
  'image/tiff',
] as const;
export type ContentType = (typeof contentTypes)[number];

/** The number of bytes to read from the start of a file, to identify its type. */
export const signatureLength = 64;

/** Reports whether a file starts with its type's signature (mimesniff.spec.whatwg.org; HEIC: ISO/IEC 23008-12). */
export const hasSignatureOf = (contentType: ContentType, start: Uint8Array): boolean =>
  signs[contentType](start);

const startsWith =
  (...signatures: readonly (readonly number[])[]) =>
  (start: Uint8Array): boolean =>
    signatures.some((signature) => signature.every((byte, index) => start[index] === byte));

const signs: Record<ContentType, (start: Uint8Array) => boolean> = {
  // %PDF-
  'application/pdf': startsWith([0x25, 0x50, 0x44, 0x46, 0x2d]),
  'image/jpeg': startsWith([0xff, 0xd8, 0xff]),
  'image/png': startsWith([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  // The first signature is for little-endian files, the second for big-endian files.
  'image/tiff': startsWith([0x49, 0x49, 0x2a, 0x00], [0x4d, 0x4d, 0x00, 0x2a]),
  'image/heic': isHeic,
};

/** The brands of images encoded with HEVC. */
const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);

/** A HEIC file starts with an `ftyp` box: a brand, four bytes, then compatible brands. */
function isHeic(start: Uint8Array): boolean {
  const text = (from: number): string => String.fromCharCode(...start.subarray(from, from + 4));
  if (start.length < 12 || text(4) !== 'ftyp') return false;
  const end = Math.min(new DataView(start.buffer, start.byteOffset).getUint32(0), start.length);
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) if (heicBrands.has(text(at))) return true;
  return false;
}

interface Countable {
  key: string;
  status: DocumentStatus;
  uploadedDate?: string;
}

/** Reports whether a file is counted: its upload was completed, and the file is not rejected. */
export const isCounted = ({ uploadedDate, status }: Countable): boolean =>
  uploadedDate !== undefined && status !== 'rejected';

/** Returns the change in the number of counted files for each document key. The map is empty if nothing changed. */
export function countChanges(
  before: Countable | undefined,
  after: Countable | undefined,
): ReadonlyMap<string, number> {
  const from = before && isCounted(before) ? before.key : undefined;
  const to = after && isCounted(after) ? after.key : undefined;
  if (from === to) return new Map();
  return new Map([
    ...(from === undefined ? [] : [[from, -1] as const]),
    ...(to === undefined ? [] : [[to, 1] as const]),
  ]);
}

/** Replaces the uploader's name with `staff` if the file was not uploaded by the applicant. */
export const hideStaffUploader = <F extends { uploadedBy?: string }>(
  { actor }: Pick<Applicant, 'actor'>,
  file: F,
): F =>
  file.uploadedBy === undefined || file.uploadedBy === actor.user ? file : { ...file, uploadedBy: 'staff' };
