import { createHash } from 'node:crypto';
import { putObject } from '../../documents/bucket.ts';
import { checkUpload } from '../../documents/check-upload.ts';
import { documentEvent } from '../../documents/events.ts';
import { documentObject } from '../../documents/object-keys.ts';
import {
  type ContentType,
  contentTypes,
  maxFileSize,
  maxFilesPerKey,
  maxFilesPerRecord,
  signatureLength,
} from '../../documents/rules.ts';
import type { StoredDocument } from '../../documents/schema.ts';
import { ticketDocuments } from '../../documents/store.ts';
import { ApiError } from '../../errors.ts';
import type { EventDraft } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { derivedId } from '../../id/mint.ts';
import type { Write } from '../../table/operations.ts';
import { newRecord } from '../../table/record-fields.ts';
import type { Authored } from '../../table/revise.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import type { MailAttachment } from '../mails/schema.ts';
import type { ParsedAttachment } from './parse-mail.ts';
import type { Verdict } from './read-notification.ts';

/** The ticket that gets the files, and the mail that contains them. */
interface FilePlace {
  account: AccountId;
  ticketId: number;
  mailId: number;
  receivedAt: Date;
  virus: Verdict;
  /** The attachments as the record of the mail lists them. Those that are documents stay unchanged. */
  listed?: readonly MailAttachment[];
}

/** The attachments as the mail's record lists them, and the documents that they became. */
export interface MailFiles {
  attachments: MailAttachment[];
  documents: StoredDocument[];
}

/** Why no attachment of a mail becomes a document. */
export const reasons = {
  noTicket: 'Only files of tickets become documents.',
  virus: 'The check for viruses found a virus, or did not end.',
  fullTicket: 'The ticket accepts no more documents.',
  expired: 'The raw mail was deleted after 30 days.',
} as const;

/** Lists attachments that become no documents. `reason` is a sentence. */
export const listAttachments = (attachments: readonly ParsedAttachment[], reason: string): MailFiles => ({
  attachments: attachments.map((one) => described(one, { leftOut: reason })),
  documents: [],
});

export const isDocument = ({ documentId }: MailAttachment): boolean => documentId !== undefined;

/**
 * Stores the attachments of a mail as documents of its ticket, with the checks of uploads. An attachment that fails a check is
 * only listed, with the reason. The ids of the documents depend on the mail, so a repeated call replaces the same objects.
 */
export async function storeAttachments(
  attachments: readonly ParsedAttachment[],
  place: FilePlace,
  request: Authored,
  run: Run,
): Promise<MailFiles> {
  const files = listAttachments([], '');
  const { listed = [] } = place;
  const before = listed.filter(isDocument).length;
  for (const [index, attachment] of attachments.entries()) {
    const known = listed[index];
    if (known && isDocument(known)) {
      files.attachments.push(known);
      continue;
    }
    const document = documentOf(attachment, index, place, request);
    const reason = reasonToLeaveOut(attachment, document, place, before + files.documents.length);
    files.attachments.push(described(attachment, reason ? { leftOut: reason } : { documentId: document.id }));
    if (reason) continue;
    const key = documentObject({
      account: place.account,
      parent: 'ticket',
      parentId: place.ticketId,
      documentId: document.id,
    });
    await putObject(key, attachment.content, document, run);
    files.documents.push(document);
  }
  return files;
}

const described = (
  { fileName, contentType, content }: ParsedAttachment,
  more: Pick<MailAttachment, 'documentId' | 'leftOut'>,
): MailAttachment => ({ fileName, contentType, size: content.byteLength, ...more });

function documentOf(
  { fileName, contentType, content }: ParsedAttachment,
  index: number,
  { account, ticketId, mailId, receivedAt }: FilePlace,
  request: Authored,
): StoredDocument {
  return {
    ...newRecord({ ...request, account }, derivedId(receivedAt, `files of ${mailId}`, index)),
    parentId: ticketId,
    // Each mail has its own key, because a ticket accepts ten files for each key.
    key: `mail-${mailId}`,
    name: fileName.replaceAll(/[/\\]/g, '_'),
    // `reasonToLeaveOut` checks the type.
    contentType: contentType as ContentType,
    size: content.byteLength,
    sha256: createHash('sha256').update(content).digest('hex'),
    status: 'pending',
    uploadedDate: request.now.toISOString(),
    uploadedBy: request.principal.actor.user,
  };
}

function reasonToLeaveOut(
  { content }: ParsedAttachment,
  document: StoredDocument,
  { virus }: FilePlace,
  stored: number,
): string | undefined {
  const { contentType, size, sha256 } = document;
  if (virus !== 'PASS') return reasons.virus;
  if (!contentTypes.includes(contentType)) return 'The type of the file is not allowed.';
  if (size === 0) return 'The file is empty.';
  if (size > maxFileSize) return 'The file is larger than 25 MB.';
  if (stored >= maxFilesPerKey) return `A mail can add ${maxFilesPerKey} documents.`;
  try {
    const start = Buffer.from(content.subarray(0, signatureLength));
    checkUpload(document, { etag: '', size, sha256, contentType, start });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'upload_unfit')
      return 'The file does not have the stated type.';
    throw error;
  }
}

/** Returns the writes of the documents of a ticket that exists. They throw `too_many_files`. */
export const documentWrites = (documents: readonly StoredDocument[]): Write[] =>
  ticketDocuments.insertAll(documents, {
    most: maxFilesPerRecord,
    otherwise: new ApiError('too_many_files'),
  });

export const documentEvents = (documents: readonly StoredDocument[]): EventDraft[] =>
  documents.map((document) => documentEvent('file_uploaded', 'ticket', document));
