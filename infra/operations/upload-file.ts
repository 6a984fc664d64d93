import { createHash } from 'node:crypto';

const scan = Buffer.from('%PDF-1.7\nA scan.\n');

/** Sends a request about one record: what follows the path of the record, and a body. */
type SendAbout = <T>(method: string, path: string, body?: Record<string, unknown>) => Promise<T>;

/**
 * Gives a record a small file, as its document of this key or type: describes it, sends it by the request that the response
 * has, and completes it. The id of the document.
 */
export async function uploadFile(
  send: SendAbout,
  named: { documentKey: string } | { type: string },
): Promise<string> {
  type Described = { id: string; upload: { url: string; headers: Record<string, string> } };
  const { id, upload } = await send<Described>('POST', '/documents', {
    ...named,
    name: 'scan.pdf',
    contentType: 'application/pdf',
    size: scan.length,
    sha256: createHash('sha256').update(scan).digest('hex'),
  });
  const { status } = await fetch(upload.url, {
    method: 'PUT',
    headers: upload.headers,
    body: scan,
    signal: AbortSignal.timeout(20_000),
  });
  if (status !== 200) throw new Error(`The bucket responded with ${status} to a file.`);
  await send('POST', `/documents/${id}/complete`);
  return id;
}
