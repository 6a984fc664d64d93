import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { writeStored } from '../administration/stored-file.ts';
import { bucketRules } from '../bucket-rules.ts';
import { S3Error } from './s3-error.ts';

export interface StoredObject {
  body: Buffer;
  contentType: string;
  /** In Base64, verified. Undefined if the upload had no checksum. */
  sha256: string | undefined;
  /** In double quotes, as in the ETag header. */
  etag: string;
  lastModified: Date;
}

const suffix = '.object';

/**
 * Opens a store with one file per object. Files are replaced atomically, so that a crash never damages an object. The
 * file name is the encoded key, so a key cannot refer to a file outside of the folder. At the start, deletes unfinished
 * files, and the objects that the bucket's lifecycle rules would have deleted.
 */
export function openObjects(folder: string, now: () => Date) {
  const pathOf = (key: string) => join(folder, `${encodeURIComponent(key)}${suffix}`);
  const store = {
    get(key: string): StoredObject {
      if (!existsSync(pathOf(key))) throw new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');
      return deserialize(readFileSync(pathOf(key)));
    },
    put(key: string, content: Pick<StoredObject, 'body' | 'contentType' | 'sha256'>): StoredObject {
      const { body, contentType, sha256 } = content;
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      const object = { body, contentType, sha256, etag, lastModified: now() };
      writeStored(pathOf(key), serialize(object));
      return object;
    },
    delete: (key: string) => rmSync(pathOf(key), { force: true }),
    keys: (prefix: string): string[] =>
      readdirSync(folder)
        .filter((name) => name.endsWith(suffix))
        .map((name) => decodeURIComponent(name.slice(0, -suffix.length)))
        .filter((key) => key.startsWith(prefix)),
  };

  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) rmSync(join(folder, name));
  for (const { prefix, days } of [bucketRules.incoming, bucketRules.exports])
    for (const key of store.keys(prefix))
      if (now().getTime() - store.get(key).lastModified.getTime() > days * 86_400_000) store.delete(key);
  return store;
}
