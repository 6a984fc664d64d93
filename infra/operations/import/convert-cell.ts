import type { FieldSchema } from './map-columns.ts';
import { type DateOptions, readDate, readDateTime } from './read-date.ts';
import { type CellReading, type DecimalSeparator, readNumber } from './read-number.ts';

/** The options that decide how ambiguous cells are read. */
export interface CellOptions extends DateOptions {
  decimal?: DecimalSeparator | undefined;
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  1: true,
  false: false,
  no: false,
  n: false,
  0: false,
};

/** Dates that the service stores as encrypted text. */
const dateTexts = new Set(['dateOfBirth']);

/** A long number as spreadsheets show it in a narrow column, such as `1.23457E+11`. Most of its digits are lost. */
const shortenedNumber = /^\d(?:[.,]\d+)?E\+\d{2,}$/;

const word = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');

/**
 * Converts the text of a cell to the type of its field. Returns text that cannot be converted unchanged, so that
 * validation reports it. Returns a message for text that is ambiguous, and for a number that a spreadsheet shortened.
 */
export async function convertCell(
  given: string,
  name: string,
  schema: FieldSchema | undefined,
  options: CellOptions,
): Promise<CellReading<unknown>> {
  const types = [schema?.type ?? []].flat();
  const text = given.trim();
  if (schema?.enum)
    return { value: schema.enum.find((one) => one !== null && word(one) === word(text)) ?? text };
  if (types.includes('array') || types.includes('object'))
    return { value: fromList(text, types.includes('array')) };
  if (types.includes('boolean')) return { value: booleans[text.toLowerCase()] ?? text };
  if (types.includes('integer') || types.includes('number'))
    return readNumber(text, options.decimal) ?? { value: text };
  if (!types.includes('string')) return { value: given };
  if (shortenedNumber.test(text))
    return {
      message: `"${text}" is a shortened number: format the column as text in the spreadsheet, and export it again`,
    };
  if (schema?.format === 'date-time') return (await readDateTime(text, options)) ?? { value: text };
  if (schema?.format === 'date' || dateTexts.has(name)) return readDate(text, options) ?? { value: text };
  return { value: text };
}

/** Parses JSON, or values that are separated by semicolons. */
function fromList(text: string, isArray: boolean): unknown {
  if (/^[[{]/.test(text))
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  return isArray
    ? text
        .split(';')
        .map((one) => one.trim())
        .filter(Boolean)
    : text;
}
