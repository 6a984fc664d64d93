import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readStored, writeStored } from './stored-file.ts';

/** An object, beside its bytes. */
export interface StoredObject {
  key: string;
  size: number;
  /** With its quotes. */
  etag: string;
  contentType: string;
  /** In base64, where the upload had one. */
  checksum?: string;
  lastModified: string;
}

/** Bytes that came in and are no object yet. */
export interface Received {
  file: string;
  size: number;
  md5: Buffer;
  sha256: Buffer;
}

/** An object and the file with its bytes, by name. */
interface Entry extends StoredObject {
  file: string;
}

/** Objects of one bucket, as files. */
export type S3Objects = ReturnType<typeof openObjects>;

/**
 * Objects as files in a folder: the bytes of each in a file with a name of its own, and a small file beside them that
 * says what they are. That one is written last and as a whole, so that a process killed at any moment leaves the
 * object as it was or as it is to be. A key becomes a file name by its SHA-256, so that no key leads out of the folder.
 * `expire` removes, at the start, what a lifecycle rule would have.
 */
export function openObjects(folder: string, expire: { prefix: string; days: number; now: Date }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const entryPath = (key: string) => join(folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  const pathOf = (file: string) => join(folder, file);
  const read = (path: string): Entry | undefined => {
    const text = readStored(path);
    return text === undefined ? undefined : (JSON.parse(text) as Entry);
  };
  const newFile = () => `${randomBytes(16).toString('hex')}.bytes`;
  sweep(folder, read, expire);

  const keep = (entry: Entry): StoredObject => {
    const path = entryPath(entry.key);
    const before = read(path);
    writeStored(path, JSON.stringify(entry));
    if (before) rmSync(pathOf(before.file), { force: true });
    return entry;
  };

  return {
    find: (key: string): StoredObject | undefined => read(entryPath(key)),

    /** The objects whose keys begin so, by key. */
    list: (prefix: string): StoredObject[] =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => read(join(folder, name)) ?? [])
        .filter(({ key }) => key.startsWith(prefix))
        .sort((one, other) => (one.key < other.key ? -1 : 1)),

    /** Takes bytes in. Where the stream breaks off nothing stays. */
    async receive(body: Readable): Promise<Received> {
      const file = newFile();
      const [md5, sha256] = [createHash('md5'), createHash('sha256')];
      let size = 0;
      try {
        await pipeline(
          body,
          async function* (chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              md5.update(chunk);
              sha256.update(chunk);
              size += chunk.length;
              yield chunk;
            }
          },
          createWriteStream(pathOf(file), { flags: 'wx', mode: 0o600 }),
        );
      } catch (error) {
        await rm(pathOf(file), { force: true });
        throw error;
      }
      return { file, size, md5: md5.digest(), sha256: sha256.digest() };
    },

    /** Makes an object of bytes that were received. */
    put: (
      { file, size, md5 }: Received,
      of: Pick<Entry, 'key' | 'contentType' | 'checksum' | 'lastModified'>,
    ) => keep({ ...of, file, size, etag: `"${md5.toString('hex')}"` }),

    discard: ({ file }: Received): Promise<void> => rm(pathOf(file), { force: true }),

    /** Copies an object; undefined where there is none. */
    async copy(from: string, to: string, lastModified: string): Promise<StoredObject | undefined> {
      const source = read(entryPath(from));
      if (!source) return undefined;
      const file = newFile();
      await copyFile(pathOf(source.file), pathOf(file));
      return keep({ ...source, key: to, file, lastModified });
    },

    /** The bytes of an object from `start` to `end`, both included. */
    open(key: string, range: { start: number; end: number }): Readable {
      const entry = read(entryPath(key));
      if (!entry) throw new Error('The object is gone.');
      return createReadStream(pathOf(entry.file), range);
    },

    remove(key: string): void {
      const entry = read(entryPath(key));
      rmSync(entryPath(key), { force: true });
      if (entry) rmSync(pathOf(entry.file), { force: true });
    },
  };
}

/** Removes what has expired, and bytes that no object has: a process was killed while it took them in. */
function sweep(
  folder: string,
  read: (path: string) => Entry | undefined,
  { prefix, days, now }: { prefix: string; days: number; now: Date },
): void {
  const named = new Set<string>();
  const names = readdirSync(folder);
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const entry = read(join(folder, name));
    if (!entry) continue;
    const age = now.getTime() - Date.parse(entry.lastModified);
    if (entry.key.startsWith(prefix) && age > days * 86_400_000) rmSync(join(folder, name));
    else named.add(entry.file);
  }
  for (const name of names)
    if (!name.endsWith('.json') && !named.has(name)) rmSync(join(folder, name), { force: true });
}
