import aws4, { type Request } from 'aws4';

interface Unsigned {
  url: URL;
  headers: Record<string, string>;
  body: string;
}

interface Signer {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/**
 * The headers of a POST to DynamoDB with AWS's Signature Version 4. The native engine ignores it, DynamoDB Local
 * picks the database by the key in it, AWS demands it.
 */
export function signed(
  { url, headers, body }: Unsigned,
  { region, ...credentials }: Signer,
): Record<string, string> {
  const request: Request = {
    host: url.host,
    path: '/',
    method: 'POST',
    service: 'dynamodb',
    region,
    headers,
    body,
  };
  const signedHeaders = Object.entries(aws4.sign(request, credentials).headers ?? {});
  // fetch sets Host and Content-Length itself, to what was signed.
  const kept = signedHeaders.filter(([name]) => !['host', 'content-length'].includes(name.toLowerCase()));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
