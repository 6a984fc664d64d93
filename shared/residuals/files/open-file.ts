import { type FileSheet, UnreadableFile } from './file-cell.ts';
import { readTextFile } from './read-text-file.ts';
import { readWorkbook } from './read-workbook.ts';

/** The first bytes of a zip file, and of the older formats of Excel, which are also the container of an encrypted one. */
const zip = Buffer.from('PK\u0003\u0004');
const emptyZip = Buffer.from('PK\u0005\u0006');
const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const encrypted = Buffer.from('EncryptedPackage', 'utf16le');

const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start);

/**
 * Opens a CSV, TSV or XLSX file. Its content decides the format, never its name. Throws `UnreadableFile`, also while the
 * rows are read.
 */
export async function openFile(bytes: Buffer): Promise<FileSheet[]> {
  if (startsWith(bytes, compound))
    throw new UnreadableFile(
      bytes.includes(encrypted)
        ? 'The file has a password. Remove the password and upload the file again.'
        : 'The file has an old format of Excel. Save it as XLSX or CSV.',
    );
  return startsWith(bytes, zip) || startsWith(bytes, emptyZip) ? readWorkbook(bytes) : readTextFile(bytes);
}
