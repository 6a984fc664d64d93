import type { IncomingHttpHeaders } from 'node:http';
import { HttpRequest, parseQueryString } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AccessKey } from '../administration/addresses.ts';
import { S3Error } from './s3-error.ts';

export interface SignedRequest {
  method: string;
  /** Path and query, percent-encoded. */
  url: string;
  headers: IncomingHttpHeaders;
}

export interface Verifier extends AccessKey {
  region: string;
  /** The name of the service in signatures. Default: `s3`. */
  service?: string;
  now: Date;
}

type Query = ReturnType<typeof parseQueryString>;

/** The signature of a request, and the values from which the signature was computed. */
interface Claim {
  credential: string;
  signingDate: Date;
  signedHeaders: readonly string[];
  signature: string;
  /** In seconds. Undefined if the signature is in the headers. */
  expiresIn?: number;
}

/** The maximum clock difference between client and server: 15 minutes. */
const tolerance = 15 * 60_000;
/** The maximum validity of a URL in seconds: a week. */
const longestExpiry = 604_800;

/**
 * Verifies the Signature Version 4 in the headers or the URL of a request by computing the signature again
 * (docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html). Returns the signed SHA-256 of the body in
 * hex, or undefined if the body is not signed. Throws S3Error.
 */
export async function verifySignature(
  { method, url, headers }: SignedRequest,
  { now, region, service = 's3', ...credentials }: Verifier,
): Promise<string | undefined> {
  const [path = '/', search = ''] = url.split(/\?(.*)/s);
  const query = parseQueryString(search);
  const claim = 'X-Amz-Algorithm' in query ? claimInQuery(query, now) : claimInHeaders(headers, now);
  const { signingDate, signedHeaders, expiresIn } = claim;
  if (!claim.credential.startsWith(`${credentials.accessKeyId}/`))
    throw new S3Error(403, 'InvalidAccessKeyId', 'The access key ID does not exist.');
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (!mustBeSigned.every((name) => signedHeaders.includes(name)))
    throw new S3Error(403, 'AccessDenied', 'There were headers present in the request which were not signed');

  const payload = Object.entries({ ...headers, ...query }).find(
    ([name]) => name.toLowerCase() === 'x-amz-content-sha256',
  );
  const { 'X-Amz-Signature': _, ...signedQuery } = query;
  const signed = Object.entries(headers).filter(([name]) => signedHeaders.includes(name));
  // The signer expects the body's hash as a header, even if it is in the query of a presigned URL.
  if (payload) delete signedQuery[payload[0]];
  const request = new HttpRequest({
    method,
    path,
    query: signedQuery,
    headers: Object.fromEntries([...signed, ...(payload ? [payload] : [])].map(([k, v]) => [k, String(v)])),
    // The signer does not hash a body that is an object. It uses the hash in the header above, or
    // `UNSIGNED-PAYLOAD` if the header is missing.
    body: {},
  });
  const sha256 = Hash.bind(null, 'sha256');
  // Only S3 signs the path as it is sent. The other services encode the path again.
  const uriEscapePath = service !== 's3';
  const options = { service, region, credentials, sha256, uriEscapePath, applyChecksum: false };
  const signer = new SignatureV4(options);
  const unhoistableHeaders = new Set(signedHeaders);
  const expected =
    expiresIn === undefined
      ? claimInHeaders((await signer.sign(request, { signingDate })).headers, now)
      : claimInQuery(
          (await signer.presign(request, { signingDate, expiresIn, unhoistableHeaders })).query ?? {},
          now,
        );
  if (claim.signature !== expected.signature)
    throw new S3Error(403, 'SignatureDoesNotMatch', 'The calculated signature does not match.');
  const hash = payload?.[1] ?? 'UNSIGNED-PAYLOAD';
  return hash === 'UNSIGNED-PAYLOAD' ? undefined : String(hash);
}

function claimInQuery(query: Query, now: Date): Claim {
  const parameter = (name: string): string => {
    const value = query[name];
    if (typeof value === 'string') return value;
    throw new S3Error(400, 'AuthorizationQueryParametersError', `${name} must be in the query exactly once.`);
  };
  const signingDate = dateOf(parameter('X-Amz-Date'));
  const expiresIn = Number(parameter('X-Amz-Expires'));
  if (!(expiresIn <= longestExpiry))
    throw new S3Error(400, 'AuthorizationQueryParametersError', 'X-Amz-Expires must be at most 604800.');
  if (signingDate.getTime() > now.getTime() + tolerance)
    throw new S3Error(403, 'AccessDenied', 'Request is not yet valid.');
  if (!(now.getTime() <= signingDate.getTime() + expiresIn * 1000))
    throw new S3Error(403, 'AccessDenied', 'Request has expired');
  return {
    credential: parameter('X-Amz-Credential'),
    signingDate,
    signedHeaders: parameter('X-Amz-SignedHeaders').split(';'),
    signature: parameter('X-Amz-Signature'),
    expiresIn,
  };
}

function claimInHeaders(headers: IncomingHttpHeaders, now: Date): Claim {
  if (headers.authorization === undefined) throw new S3Error(403, 'AccessDenied', 'Access Denied');
  const [, credential = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=(.+), *SignedHeaders=(.+), *Signature=([0-9a-f]+)$/.exec(
      headers.authorization,
    ) ?? [];
  if (signature === undefined)
    throw new S3Error(400, 'AuthorizationHeaderMalformed', 'The authorization header is malformed.');
  const signingDate = dateOf(String(headers['x-amz-date']));
  if (Math.abs(signingDate.getTime() - now.getTime()) > tolerance)
    throw new S3Error(403, 'RequestTimeTooSkewed', 'The request time and the current time differ too much.');
  return { credential, signingDate, signedHeaders: names.split(';'), signature };
}

/** Parses `20260301T093000Z`. */
function dateOf(text: string): Date {
  const date = new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (Number.isNaN(date.getTime()))
    throw new S3Error(403, 'AccessDenied', 'X-Amz-Date must be in the format "yyyyMMddTHHmmssZ".');
  return date;
}
