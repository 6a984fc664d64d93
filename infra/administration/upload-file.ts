import { createHash } from 'node:crypto';

const scan = Buffer.from('%PDF-1.7\nA scan.\n');

/** Sends a request for one record. `path` is appended to the record's path. */
type SendRequest = <T>(method: string, path: string, body?: Record<string, unknown>) => Promise<T>;

/** Uploads a small file as a document in three steps: create, upload and complete. Returns the document's id. */
export async function uploadFile(
  send: SendRequest,
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
  if (status !== 200) throw new Error(`The bucket returned ${status} for an upload.`);
  await send('POST', `/documents/${id}/complete`);
  return id;
}
