import { putFile } from '../../infra/administration/upload-file.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { Tenant } from '../harness/tenant.ts';

/** Uploads the file and completes the document. */
export const withFile =
  (complete: Endpoint) =>
  async ({ admin }: Tenant, params: object, document: unknown): Promise<void> => {
    await putFile(document);
    await admin.ok(complete, { params });
  };
