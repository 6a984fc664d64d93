import { fileName } from '../formats.ts';
import {
  credential,
  dateTime,
  integer,
  multilineText,
  nameText,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
  type TObject,
  type TProperties,
  unsafe,
} from '../schema.ts';
import type { RecordId } from '../table/keys.ts';
import type { RecordFields } from '../table/record-fields.ts';
import {
  type ContentType,
  contentTypes,
  type DocumentStatus,
  documentStatuses,
  maxFileSize,
} from './rules.ts';

export interface StoredDocument extends RecordFields {
  /** The id of the application, merchant or ticket. */
  parentId: RecordId;
  /** An application's `documentKey`, or the `type` of a merchant's or ticket's document. */
  key: string;
  name: string;
  contentType: ContentType;
  size: number;
  sha256: string;
  status: DocumentStatus;
  /** Why the document was approved or rejected. */
  reason?: string;
  /** The time at which the upload was completed. Until then, the document has no file. */
  uploadedDate?: string;
  uploadedBy?: string;
}

/** The hash of a file to upload. */
export const fileSha256 = string({
  maxLength: 64,
  pattern: '^[0-9a-fA-F]{64}$',
  description: 'The SHA-256 of the file, in hex.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
});

const described = {
  name: nameText({
    maxLength: 255,
    pattern: fileName,
    description: 'File name.',
    examples: ['voided-check.pdf'],
  }),
  contentType: oneOf(contentTypes, { examples: ['application/pdf'] }),
  size: integer({ minimum: 1, maximum: maxFileSize, description: 'In bytes.', examples: [48213] }),
  sha256: fileSha256,
};
const reason = multilineText({
  minLength: 1,
  maxLength: 1000,
  examples: ['The account number cannot be read.'],
});

const keyFields = {
  documentKey: string({
    minLength: 1,
    maxLength: 100,
    description: 'A key from documentRequirements.',
    examples: ['voided-check'],
  }),
  type: string({ minLength: 1, maxLength: 64, description: 'The type of document.', examples: ['contract'] }),
};
/** The API field that contains a document's key: `documentKey` for applications, `type` for other records. */
export type KeyName = keyof typeof keyFields;

/** The id of a document. It is a string in paths and in bodies. */
const documentId = { pattern: '^[1-9][0-9]{0,15}$', maxLength: 16, examples: ['214563398120450'] };

export const DocumentParams = object({ documentId: string(documentId) });

/** The response schema of a document. */
const documentFields = <P extends TProperties>(own: P) => ({
  id: string({ readOnly: true, examples: ['214563398120450'] }),
  ...own,
  version: integer({ readOnly: true, examples: [1] }),
  ...described,
  status: oneOf(documentStatuses, { description: 'The result of the review.' }),
  reason: optional(reason),
  createdAt: dateTime({ readOnly: true }),
  uploadedDate: optional(
    dateTime({ readOnly: true, description: 'When the upload was completed. Absent until then.' }),
  ),
  uploadedBy: optional(string({ readOnly: true, examples: ['grace@example.com'] })),
  url: optional(
    string({
      readOnly: true,
      description: 'GET this path for a download URL, which is valid for five minutes.',
      examples: ['/merchants/214563398120449/documents/214563398120450/link'],
    }),
  ),
});
export type DocumentFields = ReturnType<typeof documentFields<Record<never, never>>>;

export type ShownDocument = Static<TObject<DocumentFields>>;

export const ApplicationDocument = object(
  documentFields({
    applicationId: string({ readOnly: true, examples: ['app_65YB3N0G2M1'] }),
    documentKey: keyFields.documentKey,
  }),
);
export type ApplicationDocument = Static<typeof ApplicationDocument>;

export const MerchantDocument = object(
  documentFields({ merchantId: recordId({ readOnly: true }), type: keyFields.type }),
);
export type MerchantDocument = Static<typeof MerchantDocument>;

export const TicketDocument = object(
  documentFields({ ticketId: recordId({ readOnly: true }), type: keyFields.type }),
);
export type TicketDocument = Static<typeof TicketDocument>;

export type DocumentInput = Pick<StoredDocument, 'name' | 'contentType' | 'size' | 'sha256'> & {
  [K in KeyName]?: string;
};
export const documentInput = (keyName: KeyName) =>
  unsafe<DocumentInput>({ ...object({ [keyName]: keyFields[keyName], ...described }) });

export type DocumentPatch = { [K in KeyName]?: string } & {
  name?: string;
  status?: DocumentStatus;
  reason?: string;
};
export const documentPatch = (keyName: KeyName) =>
  unsafe<DocumentPatch>({
    ...object({
      [keyName]: optional(keyFields[keyName]),
      name: optional(described.name),
      status: optional(oneOf(documentStatuses)),
      reason: optional(reason),
    }),
  });

/** The request that uploads the file. Clients send this request unchanged, with the file as the body. */
export const Upload = object({
  method: oneOf(['PUT']),
  url: credential({
    maxLength: 8192,
    examples: ['https://merchant-ops-files.s3.us-east-1.amazonaws.com/incoming/…?X-Amz-Signature=…'],
  }),
  headers: unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 200 },
    examples: [
      {
        'content-type': 'application/pdf',
        'content-length': '48213',
        'x-amz-checksum-sha256': 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
      },
    ],
  }),
  expiresAt: dateTime(),
});

/** A download URL. */
export const DocumentLink = object({
  url: credential({
    maxLength: 8192,
    examples: ['https://merchant-ops-files.s3.us-east-1.amazonaws.com/documents/…?X-Amz-Signature=…'],
  }),
  expiresAt: dateTime(),
});
