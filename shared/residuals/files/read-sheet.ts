import { type FileCell, type FileRow, UnreadableFile } from './file-cell.ts';
import type { ZipParts } from './unzip.ts';
import { unescaped, type WorkbookParts } from './workbook-parts.ts';

/** The most columns of a sheet. Cells to the right of them are not read. */
const mostColumns = 1_000;

/** A formula with the number of another file, an address, a command, or a function that opens one. */
const linkedFormula =
  /\[\d+\]|\b(?:https?|file|ftp):|\\\\|\b(?:HYPERLINK|WEBSERVICE|FILTERXML|RTD|IMPORT\w+|SQL\.REQUEST)\s*\(|\w\|'?[^"]*'?!/i;

const msOfDay = 86_400_000;
/** Day 0 of the two date systems. Excel counts a February 29 in 1900, so that day 0 is a day earlier for later dates. */
const firstDay = { usual: Date.UTC(1899, 11, 30), of1904: Date.UTC(1904, 0, 1) };
/** 9999-12-31. */
const lastSerial = 2_958_465;

/** Yields the rows of a sheet in groups. Throws `UnreadableFile` for formulas with links. */
export async function* readSheetRows(
  parts: ZipParts,
  path: string,
  common: WorkbookParts,
): AsyncGenerator<readonly FileRow[]> {
  const reader = sheetReader(common);
  for await (const _ of parts.read(path, reader)) yield reader.take();
}

interface OpenCell {
  at: number;
  type: string;
  style: number;
  value: string;
  hasValue: boolean;
  formula?: string;
}

/** Returns handlers that collect rows. `take` returns the rows that are complete. */
function sheetReader(common: WorkbookParts) {
  let rows: FileRow[] = [];
  let row = 0;
  let cells: (FileCell | undefined)[] = [];
  let cell: OpenCell | undefined;
  let collects: 'value' | 'formula' | undefined;
  let text = '';
  return {
    open(name: string, attributes: Record<string, string>): void {
      if (name === 'row') {
        row = attributes.r === undefined ? row + 1 : Number(attributes.r);
        cells = [];
      } else if (name === 'c') {
        const at = attributes.r === undefined ? cells.length : columnOf(attributes.r);
        cell = {
          at,
          type: attributes.t ?? 'n',
          style: Number(attributes.s ?? 0),
          value: '',
          hasValue: false,
        };
      } else if (name === 'v' || name === 'f' || name === 't') {
        collects = name === 'f' ? 'formula' : 'value';
        text = '';
      } else if (name === 'rPh') collects = undefined;
    },
    text(piece: string): void {
      if (collects) text += piece;
    },
    close(name: string): void {
      if (cell && collects && (name === 'v' || name === 'f' || name === 't')) {
        if (collects === 'formula') cell.formula = checked(text);
        else {
          cell.value += text;
          cell.hasValue = cell.hasValue || name === 't' || text !== '';
        }
        collects = undefined;
      } else if (name === 'c' && cell) {
        if (cell.at < mostColumns) cells[cell.at] = cellOf(cell, common);
        cell = undefined;
      } else if (name === 'row' && cells.some((one) => one !== undefined)) rows.push({ row, cells });
    },
    take(): FileRow[] {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
}

function checked(formula: string): string {
  if (linkedFormula.test(formula))
    throw new UnreadableFile(
      'The file has a formula with a link to another file or address. Save a copy with values only, and upload the copy.',
    );
  return formula;
}

/** Returns the position of the column in a reference such as `BC12`, from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) & 0xdf;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  return column - 1;
}

function cellOf(
  { type, style, value, hasValue, formula }: OpenCell,
  { texts, styles, is1904 }: WorkbookParts,
): FileCell | undefined {
  if (formula !== undefined && !hasValue && type !== 'str')
    return { text: `=${formula}`, rejected: 'formula_without_value' };
  switch (type) {
    case 's':
      return texts[Number(value)];
    case 'str':
    case 'inlineStr':
      return unescaped(value);
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE';
    case 'e':
      return { text: value, rejected: 'error_value' };
    case 'd':
      return { date: value.slice(0, 10) };
    default:
      return hasValue ? numberOf(value.trim(), styles[style] ?? {}, is1904) : undefined;
  }
}

function numberOf(
  number: string,
  { isDate, ...style }: WorkbookParts['styles'][number],
  is1904: boolean,
): FileCell {
  if (!isDate) return { number, ...style };
  const serial = Math.floor(Number(number));
  if (!(serial >= 0 && serial <= lastSerial)) return { text: number, rejected: 'date_unreadable' };
  const day = new Date((is1904 ? firstDay.of1904 : firstDay.usual) + serial * msOfDay);
  return { date: day.toISOString().slice(0, 10) };
}
