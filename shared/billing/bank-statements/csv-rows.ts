/** A row of a CSV file with the line on which it starts, from 1. */
export interface CsvRow {
  line: number;
  cells: readonly string[];
}

/** The most lines that one row can take, so that a stray quotation mark affects only the rows near it. */
const mostLinesOfRow = 10;

/** Splits a text at its line ends: CRLF, LF or CR. */
export const linesOf = (text: string): string[] => text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);

/** The rows below a header. `isRow` reports whether the cells of one line are a row of their own. */
interface Table {
  start: number;
  width: number;
  isRow(cells: readonly string[]): boolean;
}

/** Reads each line as a row, as far as the header is not known. */
export const csvLines = (lines: readonly string[], delimiter: string): CsvRow[] =>
  lines.map((text, at) => ({ line: at + 1, cells: cellsOf(text, delimiter).cells }));

/**
 * Reads the rows below a header. A quoted cell may contain line breaks. A quotation mark that is never closed, or that
 * would make the following rows part of a cell, is part of the text.
 */
export function* csvRows(lines: readonly string[], delimiter: string, table: Table): Generator<CsvRow> {
  for (let at = table.start; at < lines.length; ) {
    const { cells, isOpen } = cellsOf(lines[at] ?? '', delimiter);
    const long = isOpen ? longRow(lines, at, delimiter, table) : undefined;
    yield { line: at + 1, cells: long?.cells ?? cells };
    at += long?.lines ?? 1;
  }
}

/** Returns the row that starts on a line and continues on others. Undefined if there is none of the right width. */
function longRow(lines: readonly string[], at: number, delimiter: string, { width, isRow }: Table) {
  for (let count = 2; count <= mostLinesOfRow && at + count <= lines.length; count++) {
    if (isRow(cellsOf(lines[at + count - 1] ?? '', delimiter).cells)) return undefined;
    const { cells, isOpen } = cellsOf(lines.slice(at, at + count).join('\n'), delimiter);
    if (!isOpen) return widthOf(cells) <= width ? { cells, lines: count } : undefined;
  }
  return undefined;
}

/** The number of cells, without empty ones at the end. */
export const widthOf = (cells: readonly string[]): number =>
  cells.findLastIndex((cell) => cell.trim() !== '') + 1;

/** Splits a text into cells. `isOpen` reports a quotation mark that is not closed; it is then part of its cell. */
function cellsOf(text: string, delimiter: string): { cells: string[]; isOpen: boolean } {
  const cells: string[] = [];
  let isOpen = false;
  for (let at = 0; at <= text.length; ) {
    const quoted = isOpen ? undefined : quotedCell(text, at, delimiter);
    if (quoted === 'open') isOpen = true;
    if (quoted && quoted !== 'open') {
      cells.push(quoted.cell);
      at = quoted.end + 1;
      continue;
    }
    const next = text.indexOf(delimiter, at);
    const end = next < 0 ? text.length : next;
    cells.push(text.slice(at, end));
    at = end + 1;
  }
  return { cells, isOpen };
}

/** Returns the quoted cell at a position. Undefined if it is not quoted; `open` if it is not closed before the end. */
function quotedCell(
  text: string,
  start: number,
  delimiter: string,
): { cell: string; end: number } | 'open' | undefined {
  let first = start;
  while (text[first] === ' ') first++;
  if (text[first] !== '"') return undefined;
  for (let at = text.indexOf('"', first + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') {
      at++;
      continue;
    }
    let end = at + 1;
    while (text[end] === ' ') end++;
    if (end >= text.length || text[end] === delimiter)
      return { cell: text.slice(first + 1, at).replaceAll('""', '"'), end };
  }
  return 'open';
}
