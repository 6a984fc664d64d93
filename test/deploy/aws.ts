import type { Emulator } from './emulator.ts';

/** One call of an AWS API that takes JSON: `Logs_20140328.FilterLogEvents`. Signed by name only, which the emulator takes. */
export async function callAws<T>(
  { endpoint, environment }: Emulator,
  target: string,
  input: object,
): Promise<T> {
  const [service = ''] = target.toLowerCase().split('_');
  const { AWS_ACCESS_KEY_ID: key, AWS_REGION: region } = environment;
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': target,
      authorization: `AWS4-HMAC-SHA256 Credential=${key}/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=none`,
    },
    body: JSON.stringify(input),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`${target} responded with ${response.status}: ${body}`);
  return JSON.parse(body) as T;
}
