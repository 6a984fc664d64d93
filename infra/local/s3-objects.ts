import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { bucketRules } from '../bucket-rules.ts';
import { S3Error } from './s3-error.ts';
import { writeStored } from './stored-file.ts';

/** An object in the format of fauxqs. */
interface StoredObject {
  key: string;
  body: Buffer;
  contentType: string;
  contentLength: number;
  /** In double quotes, as in the ETag header. */
  etag: string;
  lastModified: Date;
  metadata: Record<string, string>;
}

const suffix = '.object';

/**
 * A store for fauxqs with one file per object. Files are replaced atomically, so that a crash never damages an
 * object. The file name is the encoded key, so a key cannot refer to a file outside of the folder. At the start,
 * deletes unfinished files, and the uploads that the bucket's lifecycle rule would have deleted.
 */
export function openObjects(folder: string, now: () => Date) {
  const pathOf = (key: string) => join(folder, `${encodeURIComponent(key)}${suffix}`);
  const getObject = (_bucket: string, key: string): StoredObject => {
    if (!existsSync(pathOf(key))) throw new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');
    return deserialize(readFileSync(pathOf(key)));
  };
  const listObjects = (bucket: string, { prefix = '' } = {}) => ({
    objects: readdirSync(folder)
      .filter((name) => name.endsWith(suffix))
      .map((name) => decodeURIComponent(name.slice(0, -suffix.length)))
      .filter((key) => key.startsWith(prefix))
      .map((key) => getObject(bucket, key)),
    commonPrefixes: [],
    isTruncated: false,
  });
  const deleteObject = (_bucket: string, key: string) => rmSync(pathOf(key), { force: true });
  const putObject = (
    _bucket: string,
    key: string,
    body: Buffer,
    contentType = 'binary/octet-stream',
    metadata = {},
  ): StoredObject => {
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const object = {
      ...{ key, body, contentType, metadata, etag },
      contentLength: body.length,
      lastModified: now(),
    };
    writeStored(pathOf(key), serialize(object));
    return object;
  };

  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) rmSync(join(folder, name));
  const { prefix, days } = bucketRules.incoming;
  for (const { key, lastModified } of listObjects('', { prefix }).objects)
    if (now().getTime() - lastModified.getTime() > days * 86_400_000) deleteObject('', key);
  return { getObject, headObject: getObject, listObjects, putObject, deleteObject };
}
