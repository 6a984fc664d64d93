import { readAtMost } from '../../documents/bucket.ts';
import type { Run } from '../../work-queue/work-handler.ts';
import { type ParsedMail, parsedHeader, parseMail, parserLimits } from './parse-mail.ts';

/** Mails up to this size are read and parsed in parallel: 256 KB. */
const smallMail = 256 * 1024;
/** The bytes of a mail above the limit that are read, for its header. */
const headerOfLargeMail = 64 * 1024;

/** The raw mail. If the mail is larger than 30 MB, `bytes` contains only its start. */
interface RawMail {
  bytes: Uint8Array;
  isWhole: boolean;
}

/** The error of a raw mail that the bucket does not contain. */
export class RawMailMissing extends Error {}

/** The work with the last larger mail. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a raw mail and calls `work` with it. Larger mails are read and handled one after another, because a batch of ten
 * mails of 30 MB would exceed the memory of the function. Throws `RawMailMissing`.
 */
export async function withRawMail<T>(key: string, run: Run, work: (raw: RawMail) => Promise<T>): Promise<T> {
  const start = await readAtMost(key, smallMail, run);
  if (!start) throw rawMailMissing(key);
  if (start.size <= smallMail) return work({ bytes: start.bytes, isWhole: true });
  if (start.size > parserLimits.raw)
    return work({ bytes: start.bytes.subarray(0, headerOfLargeMail), isWhole: false });
  return alone(async () => {
    const whole = await readAtMost(key, parserLimits.raw, run);
    if (!whole) throw rawMailMissing(key);
    return work({ bytes: whole.bytes, isWhole: true });
  });
}

export const rawMailMissing = (key: string): RawMailMissing =>
  new RawMailMissing(`The bucket does not contain ${key}.`);

function alone<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}

/** Parses a raw mail. Only the header of a mail above the limit is parsed. */
export const parseRawMail = ({ bytes, isWhole }: RawMail): Promise<ParsedMail> =>
  isWhole ? parseMail(bytes) : parsedHeader(bytes, 'it is larger than 30 MB');
