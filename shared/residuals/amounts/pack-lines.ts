import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The lines of a stored item. Compressed, they have at most about 100 KB. */
export const linesPerItem = 1_000;

/** Compresses values, in base64. The table has no binary values. */
export const packed = (values: readonly unknown[]): string =>
  deflateRawSync(JSON.stringify(values)).toString('base64');

/** Returns the values that `packed` compressed. */
export const unpacked = <T>(text: unknown): T[] =>
  JSON.parse(inflateRawSync(Buffer.from(String(text), 'base64')).toString()) as T[];

/** Divides lines into the parts that are stored together. */
export const inParts = <T>(lines: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(lines.length / linesPerItem) }, (_, n) =>
    lines.slice(n * linesPerItem, (n + 1) * linesPerItem),
  );
