import { childStore } from '../table/child-store.ts';
import type { ApplicationDocument, MerchantDocument, StoredDocument, TicketDocument } from './schema.ts';

/** The store of documents that belong to one kind of record. The store also counts a record's documents by key. */
const documentsOf = (parent: 'application' | 'merchant' | 'ticket') =>
  childStore<StoredDocument, 'document'>({
    resource: 'document',
    parent,
    parentOf: ({ parentId }) => parentId,
    countedAs: ({ key }) => [key],
  });

export type DocumentStore = ReturnType<typeof documentsOf>;

export const applicationDocuments = documentsOf('application');
export const merchantDocuments = documentsOf('merchant');
export const ticketDocuments = documentsOf('ticket');

export const showApplicationDocument = (document: StoredDocument): ApplicationDocument => ({
  ...shown(document, `/applications/${encodeURIComponent(document.parentId)}`),
  applicationId: String(document.parentId),
  documentKey: document.key,
});

export const showMerchantDocument = (document: StoredDocument): MerchantDocument => ({
  ...shown(document, `/merchants/${document.parentId}`),
  merchantId: Number(document.parentId),
  type: document.key,
});

export const showTicketDocument = (document: StoredDocument): TicketDocument => ({
  ...shown(document, `/tickets/${document.parentId}`),
  ticketId: Number(document.parentId),
  type: document.key,
});

const shown = (
  { id, accountId, parentId, key, updatedAt, updatedBy, createdBy, ...rest }: StoredDocument,
  path: string,
) => ({
  ...rest,
  id: String(id),
  ...(rest.uploadedDate !== undefined && { url: `${path}/documents/${id}/link` }),
});
