import { createHash } from 'node:crypto';
import completeFile from '../../functions/residual-files/complete-residual-file.ts';
import createFile from '../../functions/residual-files/create-residual-file.ts';
import listRows from '../../functions/residual-files/list-residual-rows.ts';
import readFile from '../../functions/residual-files/read-residual-file.ts';
import createFormat from '../../functions/residual-formats/create-residual-format.ts';
import type { ListedResidualRow } from '../../shared/residuals/files/schema.ts';
import type { ResidualFormatInput } from '../../shared/residuals/formats/schema.ts';
import { drain } from '../harness/drain.ts';
import type { Tenant } from '../harness/tenant.ts';
import { plainFormat } from './plain-format.ts';

export const described = (bytes: Uint8Array, more: object = {}) => ({
  ...{ processor: 'Northwind', month: '2026-10', fileName: 'residuals.xlsx', size: bytes.length },
  ...{ sha256: createHash('sha256').update(bytes).digest('hex'), ...more },
});

/** Requests an upload of a file and uploads it. Returns the file as in the response. */
export async function uploaded({ admin }: Tenant, file: string | Buffer, more: object = {}) {
  const bytes = new Uint8Array(Buffer.from(file as string));
  const { upload, ...created } = await admin.ok(createFile, { body: described(bytes, more) });
  if (upload) await fetch(upload.url, { method: upload.method, headers: upload.headers, body: bytes });
  return created;
}

/** Uploads a file, reads it, and returns it. */
export async function imported(owner: Tenant, file: string | Buffer, more: object = {}) {
  const { id } = await uploaded(owner, file, more);
  const params = { id };
  await owner.admin.ok(completeFile, { params, body: {} });
  await drain();
  return owner.admin.ok(readFile, { params });
}

export const formatted = (owner: Tenant, format: ResidualFormatInput = plainFormat()) =>
  owner.admin.ok(createFormat, { body: format });

/** Reads all rows of a file by cursor. */
export async function rowsOf(
  { admin }: Tenant,
  params: { id: number },
  cursor = '',
): Promise<ListedResidualRow[]> {
  const query = { cursor, pageSize: 100 };
  const { data, nextCursor } = await admin.ok(listRows, { params, query });
  return nextCursor ? [...data, ...(await rowsOf({ admin } as Tenant, params, nextCursor))] : data;
}
