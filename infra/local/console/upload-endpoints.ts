import type { AddEndpoints } from './add-endpoints.ts';

/** A signed PUT of the API, which uploads a file. */
export interface SignedUpload {
  url: string;
  headers: Record<string, string>;
}

/** In bytes. The limit of the API for files is lower, 25 MB. */
const largestFile = 40 * 1024 * 1024;

/**
 * The endpoint that sends a file to the bucket with a signed request. The page cannot send it, because its policy permits only
 * requests to its own origin. `bucket` is the address of the bucket; files are sent to no other address.
 */
export const uploadEndpoints =
  (bucket: string): AddEndpoints =>
  (app) => {
    app.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: largestFile },
      (_, body, done) => done(null, body),
    );
    app.put<{ Body: Buffer }>('/uploads', { bodyLimit: largestFile }, async ({ headers, body }, reply) => {
      const upload = uploadIn(headers['x-upload'], bucket);
      if (!upload)
        return reply.code(400).send({
          message: 'The header x-upload must be a signed upload to the bucket of the service, as JSON.',
        });
      // fetch computes the content-length.
      const { 'content-length': _, ...signed } = upload.headers;
      const response = await fetch(upload.url, {
        method: 'PUT',
        headers: signed,
        body: new Uint8Array(body),
      });
      if (response.ok) return {};
      const [, reason] = /<Message>(.*?)<\/Message>/s.exec(await response.text()) ?? [];
      return reply
        .code(502)
        .send({ message: `The bucket rejected the file with ${response.status}. ${reason ?? ''}`.trim() });
    });
  };

/** Returns the upload in a header; undefined if it is no JSON, or is not an upload to the bucket. */
function uploadIn(header: unknown, bucket: string): SignedUpload | undefined {
  try {
    const { url, headers } = JSON.parse(String(header)) as Partial<SignedUpload>;
    const { href, origin } = new URL(String(url));
    return origin === new URL(bucket).origin ? { url: href, headers: headers ?? {} } : undefined;
  } catch {
    return undefined;
  }
}
