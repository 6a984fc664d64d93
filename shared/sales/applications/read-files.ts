import { applicationDocuments } from '../../documents/store.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { ApplicationFile } from './document-requirements.ts';
import type { ApplicationViewQuery } from './schema.ts';

/** As many files as an application may have. */
const mostFiles = 100;

/** The completed files of an application, newest first, for a response that shows documents; undefined for any other. */
export async function readFiles(
  account: AccountId,
  id: string,
  { includeDocuments, includeFullResponse }: ApplicationViewQuery,
): Promise<ApplicationFile[] | undefined> {
  if (!includeDocuments && !includeFullResponse) return undefined;
  const documents = await applicationDocuments.newest(account, id, mostFiles);
  return documents.flatMap(({ id: documentId, key, name, contentType, size, status, ...rest }) => {
    const { uploadedDate, uploadedBy = '' } = rest;
    const file = { id: String(documentId), documentKey: key, name, contentType, size, status };
    return uploadedDate === undefined ? [] : [{ ...file, uploadedDate, uploadedBy }];
  });
}
