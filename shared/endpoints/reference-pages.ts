import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib';
import { ApiError } from '../errors.ts';
import type { BuiltDocument, ReferenceArchive } from './endpoint.ts';

/** The pages of the API reference. All pages have the same shell: the table of contents, the styles and the script. */
export interface ReferencePages {
  /** The HTML before the title, between title and main part, and after the main part. */
  shell: readonly [string, string, string];
  /** By operation id. The start page has an empty id. */
  pages: Record<string, { title: string; main: string }>;
}

const opened = new WeakMap<ReferenceArchive, ReferencePages>();

/** Returns one page of the archive. Its compression takes about 2 ms. Throws `not_found` for an unknown operation. */
export function referencePage(archive: ReferenceArchive, operationId = ''): BuiltDocument {
  const { shell, pages } = open(archive);
  const page = Object.hasOwn(pages, operationId) ? pages[operationId] : undefined;
  if (!page) throw new ApiError('not_found', { message: `The reference has no operation ${operationId}.` });
  const [start, middle, end] = shell;
  const text = start + page.title + middle + page.main + end;
  const { digest, headers } = archive;
  return {
    digest,
    headers,
    get br() {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
      return brotliCompressSync(text, { params }).toString('base64');
    },
    get gzip() {
      return gzipSync(text).toString('base64');
    },
  };
}

/** Decompresses the archive once per instance of the function. */
function open(archive: ReferenceArchive): ReferencePages {
  const known = opened.get(archive);
  if (known) return known;
  const pages: ReferencePages = JSON.parse(
    brotliDecompressSync(Buffer.from(archive.br, 'base64')).toString(),
  );
  opened.set(archive, pages);
  return pages;
}
