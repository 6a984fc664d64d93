import { gunzipSync } from 'node:zlib';
import Negotiator from 'negotiator';
import type { Static, TSchema } from '../schema.ts';
import type { Contract } from './contract.ts';
import { type ApiDescription, type BuiltDocument, endpoint } from './endpoint.ts';
import type { HttpResponse } from './response.ts';

/** The supported content encodings, smallest result first. */
const encodings = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof encodings)[number];

type DocumentContract<Q extends TSchema, R extends TSchema> = Pick<
  Contract,
  'path' | 'summary' | 'description' | 'errors'
> & {
  query?: Q;
  response: R;
  mediaType: string;
  apiArtifact: 'openapi' | 'reference' | 'partnerContract';
  document(api: ApiDescription, query: Static<Q>): BuiltDocument;
};

/**
 * Declares a public endpoint that returns a document from the build. Only a deployment changes the document.
 * The response is compressed if the client accepts it. Clients that already have the document get a 304
 * response.
 */
export const builtDocument = <Q extends TSchema, R extends TSchema>({
  document,
  ...contract
}: DocumentContract<Q, R>) =>
  endpoint({
    ...contract,
    method: 'GET',
    access: 'public',
    decide: ({ api, query, headers }) => ({
      httpResponse: documentResponse(document(api, query), contract.mediaType, headers),
    }),
  });

function documentResponse(
  document: BuiltDocument,
  mediaType: string,
  sent: Record<string, string | undefined>,
): HttpResponse {
  const encoding = preferredEncoding(sent['accept-encoding']);
  const etag = `"${document.digest}-${encoding}"`;
  // With `no-cache`, caches may store the document, but must revalidate it before each use.
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

/** Adds the option `preferred`, the server's order of preference, which the package's types lack. */
interface Negotiates {
  encoding(available: readonly Encoding[], options: { preferred: readonly Encoding[] }): string | undefined;
}

/** Returns the best encoding that the client accepts, or `identity` if it accepts none. RFC 9110, 12.5.3. */
function preferredEncoding(accepted: string | undefined): Encoding {
  const negotiator: Negotiates = new Negotiator({ headers: { 'accept-encoding': accepted } });
  const preferred = negotiator.encoding(encodings, { preferred: encodings });
  return encodings.find((encoding) => encoding === preferred) ?? 'identity';
}

/** Compares ETags weakly, because a proxy may have added `W/`. RFC 9110, 13.1.2. */
const isNamed = (etag: string, ifNoneMatch = ''): boolean =>
  ifNoneMatch.split(',').some((named) => ['*', etag].includes(named.trim().replace(/^W\//, '')));

const plain = ({ gzip }: BuiltDocument): string => gunzipSync(Buffer.from(gzip, 'base64')).toString();
