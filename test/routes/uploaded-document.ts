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

/** A bank statement, whose first transaction pays an invoice over 270.63 USD with this number. */
export const statementFile = `date,amount,purpose
2026-03-02,270.63,INV-000001
2026-03-02,12.00,Coffee
2026-03-02,13.00,INV-000099
`;

/** The description of an uploadable bank statement. */
export const describedStatement = {
  fileName: 'example.csv',
  size: statementFile.length,
  sha256: createHash('sha256').update(statementFile).digest('hex'),
};

interface Uploadable {
  upload: { url: string; method: string; headers: Record<string, string> };
}

/** Uploads the file of a requested document or bank statement. */
export async function sendFile(document: unknown, content = file): Promise<void> {
  const { url, method, headers } = (document as Uploadable).upload;
  expect((await fetch(url, { method, headers, body: content })).status).toBe(200);
}

/** Uploads the file and completes the document. */
export const withFile =
  (complete: Endpoint) =>
  async ({ admin }: Tenant, params: object, document: unknown): Promise<void> => {
    await sendFile(document);
    await admin.ok(complete, { params });
  };
