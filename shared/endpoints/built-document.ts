import { gunzipSync } from 'node:zlib';
import Negotiator from 'negotiator';
import type { TSchema } from '../schema.ts';
import type { Contract } from './contract.ts';
import { type BuiltDocument, endpoint } from './endpoint.ts';
import type { HttpResponse } from './response.ts';

/** The smallest first. */
const encodings = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof encodings)[number];

type DocumentContract<R extends TSchema> = Pick<
  Contract<TSchema, TSchema, TSchema, R>,
  'path' | 'summary' | 'response'
> & { mediaType: string; apiArtifact: 'openapi' | 'referencePage' };

/**
 * Declares the endpoint of a document that is the same for everybody until the next deployment: public, in the smallest
 * encoding that the client takes, and 304 to a client that has it already.
 */
export const builtDocument = <R extends TSchema>(contract: DocumentContract<R>) =>
  endpoint({
    ...contract,
    method: 'GET',
    access: 'public',
    decide: ({ api, headers }) => ({
      httpResponse: documentResponse(api[contract.apiArtifact], contract.mediaType, headers),
    }),
  });

/** The document, or 304 without it, to a request with these headers. */
function documentResponse(
  document: BuiltDocument,
  mediaType: string,
  sent: Record<string, string | undefined>,
): HttpResponse {
  const encoding = preferredEncoding(sent['accept-encoding']);
  const etag = `"${document.digest}-${encoding}"`;
  // A cache may keep it, and asks each time whether it is still the one.
  const headers = {
    'content-type': mediaType,
    ...document.headers,
    etag,
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  };
  if (isNamed(etag, sent['if-none-match'])) return { statusCode: 304, headers, body: '' };
  if (encoding === 'identity') return { statusCode: 200, headers, body: plain(document) };
  return {
    statusCode: 200,
    headers: { ...headers, 'content-encoding': encoding },
    body: document[encoding],
    isBase64Encoded: true,
  };
}

/** The library's types leave out that of encodings a client likes equally the server prefers some. */
interface Negotiates {
  encoding(available: readonly Encoding[], options: { preferred: readonly Encoding[] }): string | undefined;
}

/** A client that takes none of them, not even the plain document, gets that all the same. RFC 9110, 12.5.3. */
function preferredEncoding(accepted: string | undefined): Encoding {
  const negotiator: Negotiates = new Negotiator({ headers: { 'accept-encoding': accepted } });
  const preferred = negotiator.encoding(encodings, { preferred: encodings });
  return encodings.find((encoding) => encoding === preferred) ?? 'identity';
}

/** Compared weakly, since a proxy between may have weakened it. RFC 9110, 13.1.2. */
const isNamed = (etag: string, ifNoneMatch = ''): boolean =>
  ifNoneMatch.split(',').some((named) => ['*', etag].includes(named.trim().replace(/^W\//, '')));

const plain = ({ gzip }: BuiltDocument): string => gunzipSync(Buffer.from(gzip, 'base64')).toString();
