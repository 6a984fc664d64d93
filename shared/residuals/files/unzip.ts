import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { UnreadableFile } from './file-cell.ts';

/** A file that is unpacked to more than this is refused. The XML of a file of 25 MB is about ten times as large. */
const largestUnpacked = 400 * 1024 * 1024;
const mostEntries = 5_000;

const damaged = (): UnreadableFile =>
  new UnreadableFile('The file is damaged. Open it in a spreadsheet program and save it again as XLSX.');

/** The parts of a zip file by name. Names differ in more than case. */
export interface ZipParts {
  names: readonly string[];
  has(name: string): boolean;
  /**
   * Reads the XML of a part and calls the handlers. Yields after each piece of the part, so that the caller can hand over
   * what the handlers found. A missing part has no pieces. Throws `UnreadableFile` if the part is no XML.
   */
  read(name: string, handlers: XmlHandlers): AsyncGenerator<void>;
  /** The bytes of a part after unpacking; 0 if it is missing. */
  sizeOf(name: string): number;
}

export interface XmlHandlers {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Opens a zip file without unpacking it. Throws `UnreadableFile` for a damaged, an encrypted or a too large one. */
export async function unzip(bytes: Buffer): Promise<ZipParts> {
  const entries = new Map<string, Entry>();
  let file: ZipFile;
  let size = 0;
  try {
    file = await fromBufferPromise(bytes, { lazyEntries: true });
    if (file.entryCount > mostEntries) throw tooLarge();
    for await (const entry of file.eachEntry()) {
      const name = entry.fileName.toLowerCase();
      if (entries.has(name)) throw damaged();
      if (entry.isEncrypted())
        throw new UnreadableFile('The file has a password. Remove the password and upload the file again.');
      entries.set(name, entry);
      size += entry.uncompressedSize;
      if (size > largestUnpacked) throw tooLarge();
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? error : damaged();
  }
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name.toLowerCase()),
    sizeOf: (name) => entries.get(name.toLowerCase())?.uncompressedSize ?? 0,
    async *read(name, handlers) {
      const entry = entries.get(name.toLowerCase());
      if (!entry) return;
      try {
        yield* readXml(await file.openReadStreamPromise(entry), handlers);
      } catch (error) {
        throw error instanceof UnreadableFile ? error : damaged();
      }
    },
  };
}

const tooLarge = (): UnreadableFile =>
  new UnreadableFile(
    `The file would have more than ${largestUnpacked / 1024 / 1024} MB or ${mostEntries} parts when it is unpacked. Save only the sheets with residuals.`,
  );

async function* readXml(stream: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => handlers.open?.(localName(name), attributes));
  parser.on('closetag', ({ name }: SaxesTagPlain) => handlers.close?.(localName(name)));
  if (handlers.text) parser.on('text', handlers.text);
  parser.on('doctype', () => {
    throw damaged();
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const bytes of stream) {
    parser.write(decoder.decode(bytes, { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
  yield;
}

/** Removes the prefix of a name, because some programs write `x:row` in place of `row`. */
const localName = (name: string): string => {
  const at = name.indexOf(':');
  return at < 0 ? name : name.slice(at + 1);
};
