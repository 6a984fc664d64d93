import { createHash } from 'node:crypto';
import type { ExportEnd, ExportHeader } from '../../shared/closing/export-format.ts';
import type { ExportedRecord } from '../../shared/closing/exported-kinds.ts';

/** The message is one sentence. */
export class InvalidExport extends Error {
  override readonly name = 'InvalidExport';
}

export interface VerifiedExport {
  header: ExportHeader;
  end: ExportEnd;
}

/**
 * Passes each record of an export to `onRecord`, in the order of the lines. Throws InvalidExport for a malformed line,
 * a truncated export, lines after the end, wrong counts or a wrong digest, possibly after some records were passed.
 */
export async function readExport(
  source: AsyncIterable<Uint8Array>,
  onRecord: (record: ExportedRecord) => void | Promise<void> = () => {},
): Promise<VerifiedExport> {
  const digest = createHash('sha256');
  // Kinds are outside texts, such as `constructor`. An object with a prototype has values for some of them.
  const counts: Record<string, number> = Object.create(null);
  let header: ExportHeader | undefined;
  let end: ExportEnd | undefined;
  let number = 0;
  for await (const line of linesOf(source)) {
    number += 1;
    if (end) throw new InvalidExport(`Line ${number} follows the end of the export.`);
    const value = parsed(line, number);
    if (!header) header = headerIn(value);
    else if (value.kind === 'end') {
      end = endIn(value);
      checkEnd(end, counts, digest.copy().digest('hex'));
    } else {
      const record = recordIn(value, number);
      counts[record.kind] = (counts[record.kind] ?? 0) + 1;
      await onRecord(record);
    }
    digest.update(line).update('\n');
  }
  if (!header) throw new InvalidExport('The export is empty.');
  if (!end) throw new InvalidExport(`The export is truncated after line ${number}.`);
  return { header, end };
}

/** Splits only at line feeds, because JSON may contain other line separators, such as U+2028. */
async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let number = 0;
  for await (const chunk of source) {
    let start = 0;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
      number += 1;
      yield Buffer.concat([...parts, bytes.subarray(start, at)]);
      parts = [];
      start = at + 1;
    }
    if (start < bytes.length) parts.push(bytes.subarray(start));
  }
  if (parts.length > 0) throw new InvalidExport(`The export is truncated in line ${number + 1}.`);
}

type Parsed = Record<string, unknown>;

const isObject = (value: unknown): value is Parsed =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(line: Buffer, number: number): Parsed {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (isObject(value)) return value;
  } catch {
    // The error below reports the line.
  }
  throw new InvalidExport(`Line ${number} is not a JSON object.`);
}

function headerIn(value: Parsed): ExportHeader {
  if (value.kind !== 'export' || value.format !== 'merchant-ops/account' || typeof value.account !== 'string')
    throw new InvalidExport('The first line is not the header of an account export.');
  if (value.version !== 1) throw new InvalidExport(`The export must have version 1, not ${value.version}.`);
  const { kind, format, version, account, at } = value;
  return { kind, format, version, account, at: String(at), revealed: value.revealed === true };
}

const endIn = ({ counts, sha256 }: Parsed): ExportEnd => ({
  kind: 'end',
  counts: Object.assign(Object.create(null), isObject(counts) ? counts : {}),
  sha256: String(sha256),
});

function recordIn(value: Parsed, number: number): ExportedRecord {
  const { kind, id, parent, record, file } = value;
  if (typeof kind !== 'string' || (typeof id !== 'number' && typeof id !== 'string') || !isObject(record))
    throw new InvalidExport(`Line ${number} has no kind, id and record.`);
  return {
    kind,
    id,
    ...(isObject(parent) && { parent: parent as ExportedRecord['parent'] }),
    record,
    ...(typeof file === 'string' && { file }),
  };
}

function checkEnd(end: ExportEnd, counts: Record<string, number>, sha256: string): void {
  const kinds = new Set([...Object.keys(counts), ...Object.keys(end.counts)]);
  const wrong = [...kinds].find((kind) => counts[kind] !== end.counts[kind]);
  if (wrong !== undefined)
    throw new InvalidExport(
      `The export has ${counts[wrong] ?? 0} records of the kind ${wrong}, expected ${end.counts[wrong] ?? 0}.`,
    );
  if (end.sha256 !== sha256) throw new InvalidExport('A line was changed: the digest is wrong.');
}
