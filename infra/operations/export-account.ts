import { createHash } from 'node:crypto';
import {
  type ExportEnd,
  type ExportHeader,
  exportHeader,
  exportLine,
  recordsOfAccount,
} from '../../shared/closing/export-format.ts';
import type { ExportedRecord } from '../../shared/closing/exported-kinds.ts';
import { redactEncrypted } from '../../shared/closing/redact-encrypted.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { revealEncrypted } from './encrypted-values.ts';
import { requireAccount } from './require-account.ts';
import { scanTable } from './scan-table.ts';

interface ExportOptions {
  /** Exports sensitive values in plain text. First adds events about the disclosure to the account's log. */
  reveal?: boolean;
  /** Stores the file of a document and returns the document with its path; undefined if the document was deleted. */
  fetchFile?: (document: ExportedRecord) => Promise<ExportedRecord | undefined>;
}

/** The number of records of each kind, and the number of documents with a file. */
export interface ExportedCounts {
  counts: Readonly<Record<string, number>>;
  files: number;
}

/**
 * Generates the lines of an export: the header, the records in any order, and the end. Returns the counts.
 * Only one page of the table is in memory at a time. The export is not a snapshot: if a request changes
 * several records meanwhile, the export may contain only some of the changes. Throws if the account does not
 * exist or is being erased.
 */
export async function* exportAccount(
  account: AccountId,
  { reveal = false, fetchFile }: ExportOptions = {},
): AsyncGenerator<string, ExportedCounts> {
  await requireAccount(account);
  const show = reveal ? await revealEncrypted(account) : redactEncrypted;
  const digest = createHash('sha256');
  const counts: Record<string, number> = Object.create(null);
  let files = 0;
  const lineOf = (value: ExportHeader | ExportedRecord): string => {
    const line = exportLine(value);
    digest.update(line);
    return line;
  };
  yield lineOf(exportHeader(account, new Date(), reveal));
  for await (const items of scanTable()) {
    for (const shown of await show(recordsOfAccount(account, items, new Date()))) {
      const record = shown.kind === 'document' && fetchFile ? await fetchFile(shown) : shown;
      if (!record) continue;
      if (record.file !== undefined) files += 1;
      counts[record.kind] = (counts[record.kind] ?? 0) + 1;
      yield lineOf(record);
    }
  }
  const end: ExportEnd = { kind: 'end', counts, sha256: digest.digest('hex') };
  yield `${JSON.stringify(end)}\n`;
  return { counts, files };
}
