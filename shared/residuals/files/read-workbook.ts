import { posix } from 'node:path';
import { type FileSheet, UnreadableFile } from './file-cell.ts';
import { readSheetRows } from './read-sheet.ts';
import { readStyles } from './read-styles.ts';
import { unzip, type XmlHandlers, type ZipParts } from './unzip.ts';
import { unescaped, type WorkbookParts } from './workbook-parts.ts';

/** The bytes of all shared texts. They are in memory while the file is read. */
const largestTexts = 100 * 1024 * 1024;

/** Reads a part whose content the handlers collect. */
async function readPart(parts: ZipParts, name: string, handlers: XmlHandlers): Promise<void> {
  for await (const _ of parts.read(name, handlers));
}

/**
 * Opens an XLSX file. Throws `UnreadableFile` for files that are not XLSX, and for files with macros or links to other
 * files, because their stored values may be those of somebody else's computer.
 */
export async function readWorkbook(bytes: Buffer): Promise<FileSheet[]> {
  const parts = await unzip(bytes);
  refuseActiveContent(parts);
  const workbook = await findWorkbook(parts);
  const related = await readRelations(parts, workbook);
  const { sheets, is1904 } = await readSheetList(parts, workbook);
  const pathOf = (type: string) => related.find((one) => one.type === type)?.path ?? '';
  if (related.some(({ type, isExternal }) => type === 'externalLink' || isExternal)) throw linked();
  if (parts.sizeOf(pathOf('sharedStrings')) > largestTexts)
    throw new UnreadableFile(`The texts of the file must have at most ${largestTexts / 1024 / 1024} MB.`);
  const common: WorkbookParts = {
    texts: await readTexts(parts, pathOf('sharedStrings')),
    styles: await readStyles(parts, pathOf('styles')),
    is1904,
  };
  return sheets.flatMap(({ name, relation, isHidden }) => {
    const found = related.find(({ id }) => id === relation);
    if (found?.type !== 'worksheet') return [];
    return [{ name, isHidden, rows: () => readSheetRows(parts, found.path, common) }];
  });
}

const linked = (): UnreadableFile =>
  new UnreadableFile(
    'The file has links to other files or to data connections. Save a copy with values only, and upload the copy.',
  );

function refuseActiveContent({ names }: ZipParts): void {
  if (names.some((name) => /vbaproject|macrosheets\/|activex\//.test(name)))
    throw new UnreadableFile('The file has macros. Save it as XLSX without macros, or as CSV.');
  if (names.some((name) => /(?:^|\/)externallinks\/|(?:^|\/)connections\.xml$|querytables\//.test(name)))
    throw linked();
}

interface Relation {
  id: string;
  type: string;
  path: string;
  isExternal: boolean;
}

/** Reads the relations of a part: the parts to which it refers. An empty name means the file itself. */
async function readRelations(parts: ZipParts, of: string): Promise<Relation[]> {
  const relations: Relation[] = [];
  const folder = posix.dirname(of);
  await readPart(parts, posix.join(folder, '_rels', `${posix.basename(of)}.rels`), {
    open(name, { Id = '', Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship') return;
      const type = Type.slice(Type.lastIndexOf('/') + 1);
      const isExternal = TargetMode === 'External';
      relations.push({ id: Id, type, isExternal, path: posix.resolve('/', folder, Target).slice(1) });
    },
  });
  return relations;
}

async function findWorkbook(parts: ZipParts): Promise<string> {
  const [root] = (await readRelations(parts, '')).filter(({ type }) => type === 'officeDocument');
  const path = root?.path ?? 'xl/workbook.xml';
  if (parts.has(path) && path.endsWith('.xml')) return path;
  throw new UnreadableFile('The file must be an XLSX, CSV or TSV file. Save it in one of these formats.');
}

interface ListedSheet {
  name: string;
  relation: string;
  isHidden: boolean;
}

async function readSheetList(
  parts: ZipParts,
  workbook: string,
): Promise<{ sheets: ListedSheet[]; is1904: boolean }> {
  const sheets: ListedSheet[] = [];
  let is1904 = false;
  await readPart(parts, workbook, {
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = /^(?:1|true|on)$/.test(attributes.date1904 ?? '');
      if (tag !== 'sheet') return;
      const [, relation = ''] = Object.entries(attributes).find(([name]) => /^(?:\w+:)?id$/.test(name)) ?? [];
      const { name = '', state = 'visible' } = attributes;
      sheets.push({ name, relation, isHidden: state !== 'visible' });
    },
  });
  return { sheets, is1904 };
}

/** Reads the texts to which cells refer by their number. The pronunciation of a text is not part of it. */
async function readTexts(parts: ZipParts, path: string): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let isText = false;
  let isPronunciation = false;
  await readPart(parts, path, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') isPronunciation = true;
      isText = name === 't' && !isPronunciation;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      if (name === 't') isText = false;
      if (name === 'rPh') isPronunciation = false;
      if (name === 'si') texts.push(unescaped(text));
    },
  });
  return texts;
}
