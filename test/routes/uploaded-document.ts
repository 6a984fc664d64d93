import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import completeOfApplication from '../../functions/applications/complete-document.ts';
import createOfApplication from '../../functions/applications/create-document.ts';
import completeOfMerchant from '../../functions/merchants/complete-document.ts';
import createOfMerchant from '../../functions/merchants/create-document.ts';
import type { Tenant } from '../harness/tenant.ts';
import type { HappyPath } from './happy-paths.ts';

const file = '%PDF-1.7 an example';
const body = {
  name: 'example.pdf',
  contentType: 'application/pdf' as const,
  size: file.length,
  sha256: createHash('sha256').update(file).digest('hex'),
};

/** For a document of the record in the path, whose file was uploaded, and completed unless that is what is tried. */
export const withDocument =
  (of: 'application' | 'merchant', state: 'uploaded' | 'completed', sent: HappyPath = {}) =>
  async ({ admin }: Tenant, { params }: HappyPath): Promise<HappyPath> => {
    const parent = params as { applicationId: string; merchantId: number };
    const { id, upload } = await (of === 'application'
      ? admin.ok(createOfApplication, { params: parent, body: { ...body, documentKey: 'voided-check' } })
      : admin.ok(createOfMerchant, { params: parent, body: { ...body, type: 'contract' } }));
    const { url, method, headers } = upload;
    expect((await fetch(url, { method, headers, body: file })).status).toBe(200);
    const named = { ...params, documentId: Number(id) };
    if (state === 'completed')
      await (of === 'application'
        ? admin.ok(completeOfApplication, { params: named })
        : admin.ok(completeOfMerchant, { params: named }));
    return { params: named, ...sent };
  };
