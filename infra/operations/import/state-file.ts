import { createHash } from 'node:crypto';
import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import canonicalize from 'canonicalize';
import type { Row } from './read-rows.ts';

/**
 * The target and the caller of an import. The service recognizes an idempotency key only for the same caller
 * and account.
 */
interface ImportTarget {
  baseUrl: string;
  account: string;
  caller: string;
}

interface Progress {
  id?: string;
  /** The time at which the row was first sent, and the caller who sent it. */
  sentAt?: string;
  caller?: string;
}

/**
 * The service stores responses for 24 hours. The limit here is an hour shorter, as a margin for retries and
 * clock differences.
 */
const repeatable = 23 * 3_600_000;

/** The progress of an import in a file next to its input, with one JSON line for each row that is sent or imported. */
export interface StateFile {
  /** A `doubtful` row was sent but got no response, and the service no longer recognizes the row's idempotency key. */
  stateOf(
    key: string,
  ): { state: 'new' } | { state: 'imported'; id: string } | { state: 'doubtful'; sentAt: string };
  sending(key: string): void;
  imported(key: string, id: string): void;
  /** Records that the service rejected the row. The row can be sent again at any time. */
  refused(key: string): void;
  close(): void;
}

const statePath = (input: string): string => `${input}.import-state.jsonl`;

/**
 * Opens the state of an import. Throws if the file belongs to another service, account or resource, or is a symbolic
 * link, which would let others choose the file that is written.
 */
export function openState(
  input: string,
  { baseUrl, account, caller }: ImportTarget,
  resource: string,
): StateFile {
  const path = statePath(input);
  const rows = new Map<string, Progress>();
  const header = { baseUrl, account, resource };
  const file = openWithoutLink(path);
  const [first, ...others] = completeLines(file);
  if (first !== undefined && canonicalize(JSON.parse(first)) !== canonicalize(header))
    throw new Error(
      `${path} belongs to an import of another resource, account or service. Move the file away first.`,
    );
  for (const line of others) {
    const { key, refused, ...progress } = JSON.parse(line) as Progress & { key: string; refused?: true };
    if (refused) rows.delete(key);
    else rows.set(key, { ...rows.get(key), ...progress });
  }
  const append = (value: object) => void writeSync(file, `${JSON.stringify(value)}\n`);
  if (first === undefined) append(header);
  return {
    stateOf(key) {
      const row = rows.get(key);
      if (row?.id !== undefined) return { state: 'imported', id: row.id };
      if (row?.sentAt === undefined) return { state: 'new' };
      const isRepeatable = row.caller === caller && Date.now() - Date.parse(row.sentAt) < repeatable;
      return isRepeatable ? { state: 'new' } : { state: 'doubtful', sentAt: row.sentAt };
    },
    sending(key) {
      if (rows.has(key)) return;
      const progress = { sentAt: new Date().toISOString(), caller };
      rows.set(key, progress);
      append({ key, ...progress });
    },
    imported(key, id) {
      rows.set(key, { ...rows.get(key), id });
      append({ key, id });
    },
    refused(key) {
      rows.delete(key);
      append({ key, refused: true });
    },
    close() {
      fsyncSync(file);
      closeSync(file);
    },
  };
}

function openWithoutLink(path: string): number {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  try {
    return openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new Error(`${path} is a symbolic link. Move it away first.`);
  }
}

/** Returns the lines of a file, and removes an incomplete last line, which a killed process may have written. */
function completeLines(file: number): string[] {
  const text = readFileSync(file, 'utf8');
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  if (complete.length < text.length) ftruncateSync(file, Buffer.byteLength(complete));
  return complete.split('\n').filter(Boolean);
}

/**
 * Returns a function that derives the idempotency key of a row from its content and from the number of equal
 * rows before it. The key does not depend on the row's line, so rows can be added to the file between two
 * runs.
 */
export function rowKeys(resource: string): (row: Row) => string {
  const seen = new Map<string, number>();
  return ({ values }) => {
    const digest = createHash('sha256')
      .update(`${resource}\n${canonicalize(values)}`)
      .digest('base64url');
    const occurrence = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, occurrence);
    return `import-${digest}-${occurrence}`;
  };
}
