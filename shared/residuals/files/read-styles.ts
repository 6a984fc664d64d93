import type { ZipParts } from './unzip.ts';

/** How a cell shows a number: as a date, padded with zeros to a number of digits, or with the sign of a currency. */
export interface NumberStyle {
  isDate?: true;
  digits?: number;
  sign?: string;
}

/** The numbers of date formats that every file has (ECMA-376, part 1, 18.8.30), also those of Asian languages. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** Reads the number formats of the styles of cells, by the index of the style. */
export async function readStyles(parts: ZipParts, path: string): Promise<NumberStyle[]> {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  let inCellFormats = false;
  const reading = parts.read(path, {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      if (name === 'cellXfs') inCellFormats = true;
      if (name === 'xf' && inCellFormats) formats.push(Number(attributes.numFmtId ?? 0));
    },
    close(name) {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  for await (const _ of reading);
  return formats.map((id) => styleOf(id, codes.get(id)));
}

function styleOf(id: number, code: string | undefined): NumberStyle {
  if (code === undefined) return isBuiltInDate(id) ? { isDate: true } : {};
  const [shown = ''] = code.split(';');
  if (/^0{2,}$/.test(shown)) return { digits: shown.length };
  // `[$€-407]` and `[$EUR]` are the sign with or without a locale; `"€"` is a text.
  const sign = /\[\$([^-\]]+)/.exec(shown)?.[1] ?? /\p{Sc}/u.exec(shown.replace(/\[[^\]]*\]/g, ''))?.[0];
  if (sign !== undefined) return { sign: sign.trim().toUpperCase() };
  // Texts in quotation marks, escaped characters, colors and conditions are no parts of a date.
  const parts = shown.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '');
  return /[yd]/i.test(parts) && !/^general$/i.test(parts) ? { isDate: true } : {};
}
