import { fileSha256, Upload } from '../../documents/schema.ts';
import { fileName } from '../../formats.ts';
import {
  dateTime,
  integer,
  nameText,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
} from '../../schema.ts';
import { BankStatement, ImportedTransaction, suggestion } from '../bank-statements/schema.ts';
import { statementFormats } from '../bank-statements/statement.ts';

/** In bytes: 10 MB. */
const largestStatement = 10 * 1024 * 1024;
/** The most transactions of an uploaded statement. */
export const mostUploaded = 100_000;

/** How the bank writes its files: the fields of a statement in a request, without the file. */
const { statement, csv, ...style } = BankStatement.properties;

const described = {
  fileName: nameText({
    maxLength: 255,
    pattern: fileName,
    description: 'A name for people. The content of the file shows its format.',
    examples: ['statement-2026-03.xml'],
  }),
  size: integer({ minimum: 1, maximum: largestStatement, description: 'In bytes.', examples: [48213] }),
};

export const StatementUploadInput = object({
  ...described,
  sha256: fileSha256,
  ...style,
});

const count = (description: string) => integer({ minimum: 0, examples: [1], description });

export const StatementUpload = object({
  id: recordId(),
  ...described,
  status: oneOf(['awaiting_upload', 'running', 'completed', 'failed'], {
    description:
      '`failed`: the file was refused, or the import ended early. `error` is the reason. A refused file records no payment.',
  }),
  error: optional(
    string({
      description: 'Why the import failed.',
      examples: ['The statement must have a column date.'],
    }),
  ),
  createdAt: dateTime(),
  createdBy: string({ examples: ['grace@example.com'] }),
  format: optional(
    oneOf(statementFormats, {
      description: 'As recognized by the content of the file. Absent until it is read.',
    }),
  ),
  total: optional(
    count('The transactions of the file, with rows that cannot be read. Absent until it is read.'),
  ),
  matched: count('The transactions whose payments were recorded so far.'),
  duplicates: count('The transactions that an earlier import recorded.'),
  unmatched: count('The transactions to record by hand, or to ignore.'),
  failed: count('The transactions to import again.'),
  skipped: count('The rows without a transaction, such as titles, totals and empty rows.'),
  suggestion,
});
export type StatementUpload = Static<typeof StatementUpload>;

/** A transaction of an uploaded statement with its result. */
export const UploadedTransaction = object({
  id: integer({ minimum: 1, description: 'The position in the file, from 1.', examples: [1] }),
  ...ImportedTransaction.properties,
});
export type UploadedTransaction = Static<typeof UploadedTransaction>;

export const NewStatementUpload = object({ ...StatementUpload.properties, upload: Upload });
