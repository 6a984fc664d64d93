import type { Failure } from '../../shared/log.ts';

/** The line that a function logs for each request. See shared/http/access-log.ts. */
export interface AccessLine {
  requestId: string;
  principal?: string;
  error?: string;
  cause?: string;
  failure?: Failure;
}

/** Parses an access line. Returns undefined for other lines. */
export function accessLineIn(line: string): AccessLine | undefined {
  // This check is faster than parsing, and excludes most lines.
  if (!line.includes('"route":')) return undefined;
  try {
    const parsed: unknown = JSON.parse(line);
    return isAccessLine(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const isAccessLine = (parsed: unknown): parsed is AccessLine =>
  typeof parsed === 'object' &&
  parsed !== null &&
  'route' in parsed &&
  'requestId' in parsed &&
  typeof parsed.requestId === 'string';
