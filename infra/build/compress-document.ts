import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BuiltDocument, ReferenceArchive } from '../../shared/endpoints/endpoint.ts';
import type { ReferencePages } from '../../shared/endpoints/reference-pages.ts';

/** Compresses the body of an HTTP response without additional headers. */
export function compressDocument(text: string): BuiltDocument {
  const headers = {};
  return {
    digest: digestOf(text, headers),
    headers,
    br: brotli(text, 9),
    gzip: gzipSync(text, { level: constants.Z_BEST_COMPRESSION }).toString('base64'),
  };
}

/** Compresses the pages of the reference together. Quality 9 would save 10 of 90 KB, but take twice the time. */
export const archiveReference = (
  pages: ReferencePages,
  headers: Record<string, string>,
): ReferenceArchive => {
  const text = JSON.stringify(pages);
  return { digest: digestOf(text, headers), headers, br: brotli(text, 5) };
};

const digestOf = (text: string, headers: Record<string, string>): string =>
  createHash('sha256').update(text).update(JSON.stringify(headers)).digest('base64url').slice(0, 22);

/** Compresses with the largest window, because the documents repeat long texts. */
function brotli(text: string, quality: number): string {
  const bytes = Buffer.from(text);
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS, BROTLI_PARAM_SIZE_HINT } =
    constants;
  const params = {
    [BROTLI_PARAM_QUALITY]: quality,
    [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS,
    [BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params }).toString('base64');
}
