import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { Tenant } from '../harness/tenant.ts';

const file = '%PDF-1.7 an example';

/** The description of an uploadable document. */
export const describedFile = {
  name: 'example.pdf',
  contentType: 'application/pdf' as const,
  size: file.length,
  sha256: createHash('sha256').update(file).digest('hex'),
};

interface Uploadable {
  upload: { url: string; method: string; headers: Record<string, string> };
}

/** Uploads the file of a requested document. */
export async function sendFile(document: unknown): Promise<void> {
  const { url, method, headers } = (document as Uploadable).upload;
  expect((await fetch(url, { method, headers, body: file })).status).toBe(200);
}

/** Uploads the file and completes the document. */
export const withFile =
  (complete: Endpoint) =>
  async ({ admin }: Tenant, params: object, document: unknown): Promise<void> => {
    await sendFile(document);
    await admin.ok(complete, { params });
  };
