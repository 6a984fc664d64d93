import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { S3Error } from './s3-error.ts';

/** A request as it came off the wire: path and query still percent-encoded, names of headers in lower case. */
export interface SignedRequest {
  method: string;
  path: string;
  query: string;
  headers: Readonly<Record<string, string>>;
}

interface Verifier {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  now: Date;
}

/** What a request claims, wherever it says so. */
interface Claim {
  credential: string;
  date: string;
  signedHeaders: readonly string[];
  signature: string;
  /** Whether the address carries the signature. */
  presigned: boolean;
}

/** How far apart the clocks of client and server may be, and how long a signed request is good: 15 minutes. */
const tolerance = 15 * 60_000;
/** Seconds that an address may be good at most: a week. */
const longestExpiry = 604_800;
const algorithm = 'AWS4-HMAC-SHA256';
const unsigned = 'UNSIGNED-PAYLOAD';

/**
 * Verifies a request's Signature Version 4 as S3 does, in its headers or in its address
 * (docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html), and returns the SHA-256 in hex that its body
 * was signed with, or undefined for one that was not signed. Nothing here is the SDK's: what signed a request must not
 * judge it too. Throws S3Error.
 */
export function verifySignature(request: SignedRequest, verifier: Verifier): string | undefined {
  const parameters = parametersIn(request.query);
  const claim = claimOf(request, parameters, verifier.now);
  const scope = scopeOf(claim, verifier);
  requireSignedHeaders(request, claim);

  const payload = payloadOf(request, parameters, claim);
  const canonical = [
    request.method,
    canonicalPath(request.path),
    canonicalQuery(parameters),
    ...claim.signedHeaders.map((name) => `${name}:${canonicalValue(request.headers[name])}`),
    '',
    claim.signedHeaders.join(';'),
    payload,
  ].join('\n');
  const toSign = [algorithm, claim.date, scope, sha256(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((outer, part) => hmac(outer, part), `AWS4${verifier.secretAccessKey}`);
  if (!isSame(claim.signature, hmac(key, toSign).toString('hex')))
    throw new S3Error(
      403,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
      { StringToSign: toSign, CanonicalRequest: canonical },
    );
  return payload === unsigned ? undefined : payload;
}

function claimOf({ headers }: SignedRequest, parameters: readonly Parameter[], now: Date): Claim {
  const inAddress = parameters.some(([name]) => name === 'X-Amz-Signature' || name === 'X-Amz-Algorithm');
  if (headers.authorization !== undefined && inAddress)
    throw new S3Error(400, 'InvalidArgument', 'Only one auth mechanism allowed.');
  if (inAddress) return claimInAddress(parameters, now);
  if (headers.authorization !== undefined) return claimInHeader(headers, now);
  throw new S3Error(403, 'AccessDenied', 'Access Denied');
}

function claimInAddress(parameters: readonly Parameter[], now: Date): Claim {
  const malformed = (message: string) => new S3Error(400, 'AuthorizationQueryParametersError', message);
  const the = (name: string): string => {
    const [value, second] = parameters.filter(([one]) => one === name).map(([, text]) => text);
    if (value === undefined || second !== undefined)
      throw malformed(`${name} must be in the query exactly once.`);
    return value;
  };
  if (the('X-Amz-Algorithm') !== algorithm) throw malformed(`X-Amz-Algorithm only supports "${algorithm}".`);
  const [date, expires] = [the('X-Amz-Date'), the('X-Amz-Expires')];
  const seconds = /^\d{1,6}$/.test(expires) ? Number(expires) : Number.NaN;
  if (!(seconds >= 1 && seconds <= longestExpiry))
    throw malformed('X-Amz-Expires must be a number of seconds from 1 to 604800.');
  const signedAt = instantOf(date);
  if (signedAt === undefined) throw malformed('X-Amz-Date must be in the format "yyyyMMddTHHmmssZ".');
  if (signedAt > now.getTime() + tolerance)
    throw new S3Error(403, 'AccessDenied', 'Request is not yet valid.');
  const end = signedAt + seconds * 1000;
  if (now.getTime() > end)
    throw new S3Error(403, 'AccessDenied', 'Request has expired', {
      'X-Amz-Expires': expires,
      Expires: new Date(end).toISOString(),
      ServerTime: now.toISOString(),
    });
  return {
    credential: the('X-Amz-Credential'),
    date,
    signedHeaders: the('X-Amz-SignedHeaders').split(';'),
    signature: the('X-Amz-Signature'),
    presigned: true,
  };
}

function claimInHeader(headers: SignedRequest['headers'], now: Date): Claim {
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (signature === '')
    throw new S3Error(400, 'AuthorizationHeaderMalformed', 'The authorization header is malformed.');
  const date = headers['x-amz-date'] ?? '';
  const signedAt = instantOf(date);
  if (signedAt === undefined)
    throw new S3Error(403, 'AccessDenied', 'AWS authentication requires a valid x-amz-date header.');
  if (Math.abs(signedAt - now.getTime()) > tolerance)
    throw new S3Error(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    );
  return { credential, date, signedHeaders: names.split(';'), signature, presigned: false };
}

/** The scope of the signature, `20260301/us-east-1/s3/aws4_request`, where it is ours. */
function scopeOf({ credential, date, presigned }: Claim, { accessKeyId, region }: Verifier): string {
  const parts = credential.split('/');
  const scope = parts.slice(-4).join('/');
  const key = parts.slice(0, -4).join('/');
  if (key !== accessKeyId)
    throw new S3Error(
      403,
      'InvalidAccessKeyId',
      'The AWS Access Key Id you provided does not exist in our records.',
    );
  if (scope !== [date.slice(0, 8), region, 's3', 'aws4_request'].join('/'))
    throw new S3Error(
      400,
      presigned ? 'AuthorizationQueryParametersError' : 'AuthorizationHeaderMalformed',
      `The credential's scope must be the date of the request, then "${region}/s3/aws4_request".`,
    );
  return scope;
}

/** The host and everything that S3 goes by has to be signed, or else anybody on the way could change it. */
function requireSignedHeaders({ headers }: SignedRequest, { signedHeaders }: Claim): void {
  const left = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))].filter(
    (name) => !signedHeaders.includes(name),
  );
  if (left.length > 0)
    throw new S3Error(
      403,
      'AccessDenied',
      'There were headers present in the request which were not signed',
      {
        HeadersNotSigned: left.join(', '),
      },
    );
}

/** What stands for the body in what was signed. */
function payloadOf(
  { headers }: SignedRequest,
  parameters: readonly Parameter[],
  { presigned }: Claim,
): string {
  const inAddress = parameters.find(([name]) => name.toLowerCase() === 'x-amz-content-sha256')?.[1];
  const hash = headers['x-amz-content-sha256'] ?? (presigned ? (inAddress ?? unsigned) : undefined);
  if (hash === undefined)
    throw new S3Error(
      400,
      'InvalidRequest',
      'Missing required header for this request: x-amz-content-sha256',
    );
  if (hash.startsWith('STREAMING-'))
    throw new S3Error(501, 'NotImplemented', 'This S3 takes no body in signed chunks.');
  if (hash !== unsigned && !/^[0-9a-f]{64}$/.test(hash))
    throw new S3Error(400, 'InvalidArgument', 'x-amz-content-sha256 must be UNSIGNED-PAYLOAD or a SHA-256.');
  return hash;
}

/** A query parameter, decoded. */
type Parameter = readonly [name: string, value: string];

/** The parameters of a query, decoded. Throws S3Error for what is no percent-encoding. */
export const parametersIn = (query: string): Parameter[] =>
  query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return at < 0 ? [decoded(part), ''] : [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
    });

/** A path or a part of it without percent-encoding. Throws S3Error for what is none. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
}

const canonicalPath = (path: string): string =>
  path
    .split('/')
    .map((part) => encoded(decoded(part)))
    .join('/');

const canonicalQuery = (parameters: readonly Parameter[]): string =>
  parameters
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');

const canonicalValue = (value = ''): string => value.trim().replace(/\s+/g, ' ');

/** RFC 3986: everything but letters, digits and `-_.~`. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Milliseconds since 1970 of `20260301T093000Z`. */
function instantOf(date: string): number | undefined {
  const iso = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const instant = iso === date ? Number.NaN : Date.parse(iso);
  return Number.isNaN(instant) ? undefined : instant;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
