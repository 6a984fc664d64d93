import { createHash, createHmac } from 'node:crypto';

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
  signer: Signer,
  now = new Date(),
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = [time.slice(0, 8), signer.region, 'dynamodb', 'aws4_request'];
  const all: Record<string, string> = { ...headers, host: url.host, 'x-amz-date': time };
  if (signer.sessionToken) all['x-amz-security-token'] = signer.sessionToken;
  const names = Object.keys(all).sort();
  const request = [
    ...['POST', '/', ''],
    ...names.map((name) => `${name}:${all[name]}`),
    ...['', names.join(';'), sha256(body)],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(request)].join('\n');
  const key = scope.reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${signer.secretAccessKey}`,
  );
  const credential = `Credential=${signer.accessKeyId}/${scope.join('/')}`;
  const signature = `Signature=${hmac(key, text).toString('hex')}`;
  all.authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names.join(';')}, ${signature}`;
  return all;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
