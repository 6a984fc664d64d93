import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkUpload, type UploadedObject } from '../../shared/documents/check-upload.ts';
import {
  type ContentType,
  contentTypes,
  countChanges,
  hasSignatureOf,
} from '../../shared/documents/rules.ts';
import type { StoredDocument } from '../../shared/documents/schema.ts';
import { ApiError } from '../../shared/errors.ts';

const ascii = (text: string) => Buffer.from(text, 'latin1');
const heic = (brand: string, ...compatible: string[]) => {
  const brands = [brand, '\0\0\0\0', ...compatible].join('');
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + brands.length);
  return Buffer.concat([size, ascii(`ftyp${brands}`)]);
};

/** The first bytes of real files. */
const files: [ContentType, string, Buffer][] = [
  ['application/pdf', 'a PDF', ascii('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj')],
  ['image/jpeg', 'a JPEG of JFIF', ascii('\xff\xd8\xff\xe0\0\x10JFIF\0')],
  ['image/jpeg', 'a JPEG of a camera', ascii('\xff\xd8\xff\xe1\0\x10Exif\0')],
  ['image/png', 'a PNG', ascii('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
  ['image/tiff', 'a TIFF, little endian', ascii('II*\0\x08\0\0\0')],
  ['image/tiff', 'a TIFF, big endian', ascii('MM\0*\0\0\0\x08')],
  ['image/heic', 'a HEIC', heic('heic', 'mif1', 'heic')],
  ['image/heic', 'a HEIC with the main brand mif1', heic('mif1', 'miaf', 'heic')],
];
const others: [string, Buffer][] = [
  ['an HTML page', ascii('<!doctype html><script>')],
  ['a program', ascii('MZ\x90\0')],
  ['a zip', ascii('PK\x03\x04')],
  ['an AVIF', heic('avif', 'mif1', 'miaf')],
  ['an MP4', heic('isom', 'iso2', 'mp41')],
  ['a HEIC with its brand after the box', Buffer.concat([heic('mif1', 'miaf'), ascii('heic')])],
  ['a PDF after an HTML tag', ascii('<html>%PDF-1.7')],
  ['an incomplete PNG signature', ascii('\x89PN')],
  ['empty', Buffer.alloc(0)],
];

test('a file whose checksum, size or type differs from the description is rejected', () => {
  const described = { contentType: 'application/pdf', size: 8, sha256: 'a'.repeat(64) } as const;
  const upload = { ...described, etag: '"1"', start: ascii('%PDF-1.7') };
  const check = (more: Partial<UploadedObject>) => {
    try {
      checkUpload({ ...described } as StoredDocument, { ...upload, ...more });
      return 'accepted';
    } catch (error) {
      return error instanceof ApiError ? error.code : error;
    }
  };
  expect(check({})).toBe('accepted');
  for (const other of [
    { sha256: 'b'.repeat(64) },
    { sha256: undefined },
    { size: 9 },
    { contentType: 'image/png' },
  ])
    expect(check(other), JSON.stringify(other)).toBe('upload_unfit');
});

describe('the type of a file', () => {
  test.each(files)('the type of a file is only %s if the file is %s', (type, _, start) => {
    expect(contentTypes.filter((one) => hasSignatureOf(one, start))).toEqual([type]);
  });

  test.each(others)('the type of a file is not an accepted type if the file is %s', (_, start) => {
    expect(contentTypes.filter((one) => hasSignatureOf(one, start))).toEqual([]);
  });

  test('the type of a file is never ambiguous', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(contentTypes.filter((type) => hasSignatureOf(type, bytes)).length).toBeLessThan(2);
      }),
    );
  });
});

describe('counted files', () => {
  const document = fc.record({
    key: fc.constantFrom('voided-check', 'other'),
    status: fc.constantFrom('pending' as const, 'approved' as const, 'rejected' as const),
    uploadedDate: fc.option(fc.constant('2026-03-01T09:30:00.000Z'), { nil: undefined }),
  });
  const states = fc.array(fc.option(document, { nil: undefined }), { minLength: 1, maxLength: 12 });

  test('after any sequence of changes, a document is counted only if its file is uploaded and not rejected', () => {
    fc.assert(
      fc.property(states, (all) => {
        const counted = new Map<string, number>();
        all.forEach((after, index) => {
          for (const [key, amount] of countChanges(all[index - 1], after))
            counted.set(key, (counted.get(key) ?? 0) + amount);
        });
        const last = all.at(-1);
        const expected = last?.uploadedDate && last.status !== 'rejected' ? [[last.key, 1]] : [];
        expect([...counted].filter(([, count]) => count !== 0)).toEqual(expected);
      }),
    );
  });
});
