import { createHash } from 'node:crypto';

const scan = '%PDF-1.7\nA scan.\n';

/** The description of a file for its upload. */
export const describedBy = (content: string) => ({
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});

/** The description of a small document. */
export const describedScan = {
  name: 'scan.pdf',
  contentType: 'application/pdf' as const,
  ...describedBy(scan),
};

/** Uploads the file of a new document or bank statement. */
export async function putFile(described: unknown, content = scan): Promise<void> {
  const { url, headers } = (described as { upload: { url: string; headers: Record<string, string> } }).upload;
  const { status } = await fetch(url, {
    method: 'PUT',
    headers,
    body: content,
    signal: AbortSignal.timeout(20_000),
  });
  if (status !== 200) throw new Error(`The bucket returned ${status} for an upload.`);
}

/** Sends a request for one record. `path` is appended to the record's path. */
type SendRequest = <T>(method: string, path: string, body?: Record<string, unknown>) => Promise<T>;

/** Uploads a small file as a document in three steps: create, upload and complete. Returns the document's id. */
export async function uploadFile(
  send: SendRequest,
  named: { documentKey: string } | { type: string },
): Promise<string> {
  const described = await send<{ id: string }>('POST', '/documents', { ...named, ...describedScan });
  await putFile(described);
  await send('POST', `/documents/${described.id}/complete`);
  return described.id;
}
