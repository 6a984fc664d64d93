import { createHash } from 'node:crypto';
import type { ExportedRecord } from './exported-kinds.ts';

/** What the first line of an export says. */
export interface ExportHeader {
  kind: 'export';
  format: 'merchant-ops/account';
  version: 1;
  account: string;
  /** When the export began. */
  at: string;
  /** Whether sensitive values are shown. */
  revealed: boolean;
}

/** What the last line of an export says. */
export interface ExportEnd {
  kind: 'end';
  /** How many records of each kind there are. */
  counts: Readonly<Record<string, number>>;
  /** Of all lines before, in hex, each with its line feed. */
  sha256: string;
}

/** An export is not what it says of itself; the message is one sentence. */
export class InvalidExport extends Error {
  override readonly name = 'InvalidExport';
}

/** What an export that is whole says. */
export interface VerifiedExport {
  header: ExportHeader;
  end: ExportEnd;
}

/**
 * Reads an export, and gives each record to `take` as it comes, in the order of the lines. Resolves once it is known to be whole:
 * throws InvalidExport, also after records were taken, where a line is no such line, where the export is cut off or goes on behind
 * its end, and where counts or digest are others than its last line says.
 */
export async function readExport(
  source: AsyncIterable<Uint8Array>,
  take: (record: ExportedRecord) => void | Promise<void> = () => {},
): Promise<VerifiedExport> {
  const digest = createHash('sha256');
  const counts: Record<string, number> = {};
  let header: ExportHeader | undefined;
  let end: ExportEnd | undefined;
  let number = 0;
  for await (const line of linesOf(source)) {
    number += 1;
    if (end) throw new InvalidExport(`Line ${number} stands behind the end.`);
    const value = parsed(line, number);
    if (!header) header = headerIn(value);
    else if (value.kind === 'end') {
      end = endIn(value);
      requireSame(end, counts, digest.copy().digest('hex'));
    } else {
      const record = recordIn(value, number);
      counts[record.kind] = (counts[record.kind] ?? 0) + 1;
      await take(record);
    }
    digest.update(line).update('\n');
  }
  if (!header) throw new InvalidExport('It is empty.');
  if (!end) throw new InvalidExport(`It is cut off after line ${number}: the line of the end is missing.`);
  return { header, end };
}

/**
 * Lines end with a line feed and with nothing else: what JSON leaves as it is, such as U+2028, is no end of a line. The last
 * one without a line feed is cut off.
 */
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
  if (parts.length > 0) throw new InvalidExport(`It is cut off within line ${number + 1}.`);
}

type Parsed = Record<string, unknown>;

const isObject = (value: unknown): value is Parsed =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(line: Buffer, number: number): Parsed {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (isObject(value)) return value;
  } catch {
    // The same sentence for whatever is no object.
  }
  throw new InvalidExport(`Line ${number} is no JSON object.`);
}

function headerIn(value: Parsed): ExportHeader {
  if (value.kind !== 'export' || value.format !== 'merchant-ops/account' || typeof value.account !== 'string')
    throw new InvalidExport('Its first line is not that of an export of an account.');
  if (value.version !== 1) throw new InvalidExport(`It has the version ${value.version}, and 1 can be read.`);
  const { kind, format, version, account, at } = value;
  return { kind, format, version, account, at: String(at), revealed: value.revealed === true };
}

const endIn = ({ counts, sha256 }: Parsed): ExportEnd => ({
  kind: 'end',
  counts: isObject(counts) ? (counts as Record<string, number>) : {},
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

function requireSame(end: ExportEnd, counts: Record<string, number>, sha256: string): void {
  const told: Record<string, unknown> = { ...end.counts };
  const wrong = [...new Set([...Object.keys(counts), ...Object.keys(told)])].find(
    (kind) => counts[kind] !== told[kind],
  );
  if (wrong !== undefined)
    throw new InvalidExport(
      `It has ${counts[wrong] ?? 0} records of the kind ${wrong}, and its end says ${told[wrong] ?? 0}.`,
    );
  if (end.sha256 !== sha256) throw new InvalidExport('A line was changed: the digest of its end is another.');
}
