import PostalMime from 'postal-mime';

/** The fields of PostalMime 4.0.0 that its types omit. */
interface Part {
  state: 'header' | 'body' | 'finished';
  contentType: { parsed: { value: string } };
  contentTransferEncoding: { encoding: string };
}
interface Internals {
  currentNode: Part;
  processLine(this: PostalMime, line: Uint8Array, isFinal: boolean): Promise<void>;
}
const { processLine } = PostalMime.prototype as unknown as Internals;

/**
 * `textBytes`: of all text parts together, as sent. `plainLines`: of all bodies that are not in Base64. `lines`: of the mail; a
 * mail of 30 MB in Base64 has 413,000 lines. `separators`: lines that begin with two hyphens.
 */
const limits = {
  parts: 1_000,
  separators: 20_000,
  textBytes: 2 * 1024 * 1024,
  plainLines: 100_000,
  lines: 500_000,
};

/** The error of a mail that has too many parts or lines. */
export class MailTooComplex extends Error {}

/**
 * Parses a mail with bounded memory. PostalMime keeps an object for each part, and for each line that is not in Base64. It
 * also converts texts as a whole, so this class reads only the first 2 MB of the text parts. Throws `MailTooComplex`.
 */
export class BoundedParser extends PostalMime {
  /** True if the end of a text part was not read. */
  textCut = false;
  #parts = 0;
  #lines = 0;
  #separators = 0;
  #plainLines = 0;
  #textBytes = 0;

  /** Replaces the method of PostalMime, which calls it for each line. */
  async processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    this.#lines += 1;
    if (this.#lines > limits.lines) throw tooMany(limits.lines, 'lines');
    const before = this.#part;
    const read = this.#mayRead(before, line);
    if (read || isFinal) await processLine.call(this, read ?? line.subarray(0, 0), isFinal);
    if (this.#part === before) return;
    this.#parts += 1;
    if (this.#parts > limits.parts) throw tooMany(limits.parts, 'parts');
  }

  get #part(): Part {
    return (this as unknown as Internals).currentNode;
  }

  /** Returns the part of a line that may be read, or undefined. A line that can separate parts is always read. */
  #mayRead({ state, contentType, contentTransferEncoding }: Part, line: Uint8Array): Uint8Array | undefined {
    if (state !== 'body') return line;
    if (line[0] === 0x2d && line[1] === 0x2d) {
      this.#separators += 1;
      if (this.#separators > limits.separators)
        throw tooMany(limits.separators, 'lines that can separate parts');
      return line;
    }
    if (!/base64/.test(contentTransferEncoding.encoding)) this.#plainLines += 1;
    const isWithin = this.#plainLines <= limits.plainLines;
    const type = contentType.parsed.value;
    if (!type.startsWith('text/') && type !== 'application/ics') {
      if (!isWithin) throw tooMany(limits.plainLines, 'lines that are not in Base64');
      return line;
    }
    const room = isWithin ? limits.textBytes - this.#textBytes : 0;
    this.#textBytes += line.length;
    if (line.length <= room) return line;
    this.textCut = true;
    return room > 0 ? line.subarray(0, room) : undefined;
  }
}

const tooMany = (most: number, things: string): MailTooComplex =>
  new MailTooComplex(`it has more than ${most} ${things}`);
