import { writeZip } from './write-zip.ts';

/** A cell: a text, a number, or raw XML of a `c` element without its reference. */
type CellValue = string | number | null | { xml: string };

interface Sheet {
  name: string;
  rows: readonly (readonly CellValue[])[];
  isHidden?: boolean;
}

interface Options {
  is1904?: boolean;
  /** Writes texts into the cells, as some programs do, in place of the shared texts. */
  isInline?: boolean;
  /** More or other parts. */
  parts?: Readonly<Record<string, string>>;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const letters = (column: number): string =>
  column < 26
    ? String.fromCharCode(65 + column)
    : letters(Math.floor(column / 26) - 1) + letters(column % 26);

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The styles: 1 is a date, 2 has seven digits, 3 is a date of its own. */
const styles = `${head}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="0000000"/><numFmt numFmtId="165" formatCode="[Red]dd&quot;.&quot;mm\\.yyyy"/></numFmts><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;

/** Writes an XLSX file as Excel does. */
export function writeWorkbook(sheets: readonly Sheet[], { is1904, isInline, parts }: Options = {}): Buffer {
  const texts: string[] = [];
  const cell = (value: CellValue, reference: string): string => {
    if (value === null) return '';
    if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
    if (typeof value === 'object') return value.xml.replace('<c', `<c r="${reference}"`);
    if (isInline)
      return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
    texts.push(value);
    return `<c r="${reference}" t="s"><v>${texts.length - 1}</v></c>`;
  };
  const sheetParts = sheets.map(({ rows }, n) => {
    const body = rows.map(
      (cells, row) =>
        `<row r="${row + 1}">${cells.map((value, at) => cell(value, `${letters(at)}${row + 1}`)).join('')}</row>`,
    );
    return [
      `xl/worksheets/sheet${n + 1}.xml`,
      `${head}<worksheet xmlns="${main}"><sheetData>${body.join('')}</sheetData></worksheet>`,
    ] as const;
  });
  const listed = sheets.map(
    ({ name, isHidden }, n) =>
      `<sheet name="${escaped(name)}" sheetId="${n + 1}"${isHidden ? ' state="hidden"' : ''} r:id="rId${n + 1}"/>`,
  );
  const related = [
    ...sheets.map((_, n) => ['worksheet', `worksheets/sheet${n + 1}.xml`] as const),
    ['sharedStrings', 'sharedStrings.xml'] as const,
    ['styles', '/xl/styles.xml'] as const,
  ].map(
    ([type, target], n) => `<Relationship Id="rId${n + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return writeZip({
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${relations}">${related.join('')}</Relationships>`,
    ...Object.fromEntries(sheetParts),
    'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': styles,
    ...parts,
  });
}
