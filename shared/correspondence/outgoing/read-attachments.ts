import { type FileTiming, readObject } from '../../documents/bucket.ts';
import { documentObject } from '../../documents/object-keys.ts';
import type { StoredDocument } from '../../documents/schema.ts';
import { applicationDocuments, ticketDocuments } from '../../documents/store.ts';
import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { StoredMail } from '../mails/schema.ts';
import type { ThreadOf } from '../threads/schema.ts';

const stores = { ticket: ticketDocuments, application: applicationDocuments } as const;

/** Returns the documents of a record. Throws `invalid_input` if one does not exist or its upload is not completed. */
export async function documentsToAttach(
  account: AccountId,
  { recordType, recordId }: ThreadOf,
  ids: readonly string[] = [],
): Promise<StoredDocument[]> {
  if (recordType === 'lead') return [];
  const parentId = recordType === 'ticket' ? Number(recordId) : recordId;
  const found = await Promise.all(ids.map((id) => stores[recordType].find(account, parentId, Number(id))));
  return found.map((document, index) => {
    if (document?.uploadedDate !== undefined) return document;
    throw invalid(`documentIds[${index}]`, 'must be the id of a completed document of the record');
  });
}

/** Returns the attachments of a mail with their files. Undefined if a document was deleted after the mail was written. */
export async function readAttachments(
  { accountId: account, recordType, recordId = '', attachments }: StoredMail,
  timing: FileTiming,
): Promise<{ fileName: string; contentType: string; content: Buffer }[] | undefined> {
  if (recordType === undefined || recordType === 'lead') return [];
  const files = await Promise.all(
    attachments.map(async ({ fileName, contentType, documentId = 0 }) => {
      const content = await readObject(
        documentObject({ account, parent: recordType, parentId: recordId, documentId }),
        timing,
      );
      return content && { fileName, contentType, content };
    }),
  );
  const found = files.filter((file) => file !== undefined);
  return found.length === files.length ? found : undefined;
}
