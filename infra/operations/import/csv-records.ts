export interface CsvRecord {
  /** The line of the text on which the record starts, from 1. */
  line: number;
  lastLine: number;
  cells: string[];
  /** Whether a quotation mark was read as text, although CSV does not allow it in this place. */
  isLenient: boolean;
  /** Whether a misplaced quotation mark joined several lines to one record. */
  isMerged: boolean;
}

const lineBreaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Converts `"Joe "The Boss" Diner"` to `Joe "The Boss" Diner`: the second mark follows a space, so it opens a quotation. */
const withoutOuterQuotes = (cell: string): string => cell.replace(/^"([^"]*\s"\S.*)"$/s, '$1');

/**
 * Yields the records of CSV text, including its header. Skips empty lines. Reads misplaced quotation marks as text: a
 * mark inside a cell, a mark whose closing mark is not at the end of the cell, and a mark that the file does not close.
 * Lines end with CRLF, LF or CR. They are counted in the text itself, because the counters of CSV libraries differ from
 * it, for example for a CRLF inside quotation marks.
 */
export async function* csvRecords(
  chunks: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  const source = chunks[Symbol.asyncIterator]();
  const edge = new RegExp(`[\r\n${delimiter.replace(/[\\\]^-]/, '\\$&')}]`, 'g');
  const quotedQuotes = /(?:"")+(?!")/y;
  let text = '';
  let hasEnded = false;
  /** No mark after this one closes a cell with other text than marks. */
  let isAfterUnclosed = false;

  /** Reports whether the character at this index exists. Reads the next chunks if necessary. */
  async function exists(index: number): Promise<boolean> {
    while (index >= text.length && !hasEnded) {
      const { value, done } = await source.next();
      if (done) hasEnded = true;
      else text += value;
    }
    return index < text.length;
  }

  /** The index of the next delimiter or line break, or of the end of the text. */
  async function nextEdge(from: number): Promise<number> {
    for (let at = from; await exists(at); at = text.length) {
      edge.lastIndex = at;
      const found = edge.exec(text);
      if (found) return found.index;
    }
    return text.length;
  }

  const isEdge = async (index: number): Promise<boolean> =>
    !(await exists(index)) || text[index] === delimiter || text[index] === '\n' || text[index] === '\r';

  /** The index of the next quotation mark that is not one of two that represent a mark; undefined if there is none. */
  async function closingMark(from: number): Promise<number | undefined> {
    let at = from;
    while (await exists(at)) {
      const mark = text.indexOf('"', at);
      if (mark < 0) at = text.length;
      else if ((await exists(mark + 1)) && text[mark + 1] === '"') at = mark + 2;
      else return mark;
    }
    return undefined;
  }

  /** The index of the mark that ends the quotation at `start`, at which a mark is. */
  async function endOfQuotation(start: number): Promise<number | undefined> {
    if (!isAfterUnclosed) {
      const mark = await closingMark(start + 1);
      if (mark !== undefined) return mark;
      isAfterUnclosed = true;
    }
    quotedQuotes.lastIndex = start;
    const marks = quotedQuotes.exec(text)?.[0].length;
    return marks !== undefined && (await isEdge(start + marks)) ? start + marks - 1 : undefined;
  }

  try {
    for (let line = 1; await exists(0); ) {
      const cells: string[] = [];
      let [at, isLenient, isMerged] = [0, false, false];
      for (let hasNext = true; hasNext; ) {
        const start = at;
        const mark = (await exists(start)) && text[start] === '"' ? await endOfQuotation(start) : undefined;
        if (mark !== undefined && (await isEdge(mark + 1))) {
          cells.push(text.slice(start + 1, mark).replaceAll('""', '"'));
          at = mark + 1;
        } else {
          at = await nextEdge(mark === undefined ? start : mark + 1);
          const cell = text.slice(start, at);
          isLenient ||= cell.includes('"');
          isMerged ||= lineBreaksIn(cell) > 0;
          cells.push(withoutOuterQuotes(cell));
        }
        hasNext = (await exists(at)) && text[at] === delimiter;
        if (hasNext) at += 1;
      }
      const lastLine = line + lineBreaksIn(text.slice(0, at));
      if (at > 0) yield { line, lastLine, cells, isLenient, isMerged };
      line = lastLine + 1;
      const isTwoCharacters = text[at] === '\r' && (await exists(at + 1)) && text[at + 1] === '\n';
      text = text.slice(at + (isTwoCharacters ? 2 : 1));
    }
  } finally {
    await source.return?.(undefined);
  }
}
