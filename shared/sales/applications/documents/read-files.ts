import { maxFilesPerRecord } from '../../../documents/rules.ts';
import { applicationDocuments } from '../../../documents/store.ts';
import type { AccountId } from '../../../id/account-id.ts';
import type { ApplicationFile } from '../completeness/document-requirements.ts';
import type { ApplicationReadQuery } from '../record/schema.ts';

/** Returns the completed files, newest first. Returns undefined if the query does not ask for documents. */
export async function readFiles(
  account: AccountId,
  id: string,
  { includeDocuments, includeFullResponse }: ApplicationReadQuery,
): Promise<ApplicationFile[] | undefined> {
  if (!includeDocuments && !includeFullResponse) return undefined;
  const documents = await applicationDocuments.newest(account, id, maxFilesPerRecord);
  return documents.flatMap(({ id: documentId, key, name, contentType, size, status, ...rest }) => {
    const { uploadedDate, uploadedBy = '' } = rest;
    const file = { id: String(documentId), documentKey: key, name, contentType, size, status };
    return uploadedDate === undefined ? [] : [{ ...file, uploadedDate, uploadedBy }];
  });
}
