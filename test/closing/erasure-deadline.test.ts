import { setTimeout } from 'node:timers/promises';
import { DeleteObjectCommand, ListObjectVersionsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { advanceErasure } from '../../shared/closing/advance-erasure.ts';
import { openFilesBucket } from '../../shared/closing/files-bucket.ts';
import type { ErasureProgress } from '../../shared/closing/store.ts';
import { bucketPrefixes } from '../../shared/documents/object-keys.ts';
import { tenant } from '../harness/tenant.ts';

test('an erasure whose file step stopped at its deadline continues with the remaining files', async () => {
  const { accountId: account } = await tenant();
  const bucket = openFilesBucket();
  const names = bucketPrefixes.map((prefix) => `${prefix}/${account}/file`);
  for (const Key of names)
    await bucket.s3.send(new PutObjectCommand({ Bucket: bucket.bucket, Key, Body: 'x' }));
  const left = async () => {
    const listed = bucketPrefixes.map(async (prefix) => {
      const list = { Bucket: bucket.bucket, Prefix: `${prefix}/${account}/` };
      const { Versions = [] } = await bucket.s3.send(new ListObjectVersionsCommand(list));
      return Versions.map(({ Key }) => Key);
    });
    return (await Promise.all(listed)).flat();
  };
  const now = new Date();
  let erasure: ErasureProgress = {
    startedAt: now.toISOString(),
    removed: { items: {}, users: 0, usersRemoved: 0, files: 0 },
    lastRemoval: now.getTime(),
    pass: { began: now.getTime(), found: 0, elsewhere: {}, logs: 0 },
    ownLogs: [],
    removedLogs: [],
  };
  const closing = { account, name: 'Acme', closedBy: 'a@example.com', closedAt: now.toISOString() };
  const step = async (deadline: number, from = bucket) => {
    const given = { ...closing, erasure } as Parameters<typeof advanceErasure>[0];
    const result = await advanceErasure(given, {
      bucket: from,
      now,
      deadline,
      writeDeadline: deadline + 60_000,
    });
    if (!('erasure' in result)) throw new Error('The erasure returned a proof');
    erasure = result.erasure;
  };
  await step(Date.now() - 1);
  expect([await left(), erasure.pass.filesDone]).toEqual([names, undefined]);
  // The deadline passes while the step removes the first file.
  const deadline = Date.now() + 3_000;
  const { s3 } = bucket;
  const slow = Object.create(s3, {
    send: {
      value: async (command: DeleteObjectCommand) => {
        while (command instanceof DeleteObjectCommand && Date.now() < deadline) await setTimeout(50);
        return s3.send(command);
      },
    },
  });
  await step(deadline, { ...bucket, s3: slow });
  expect(erasure.pass.filesDone).toBeUndefined();
  const rest = await left();
  expect(rest.length).toBeGreaterThan(0);
  expect(rest.length).toBeLessThan(names.length);
  await step(Date.now() + 60_000);
  expect([await left(), erasure.pass.filesDone, erasure.removed.files]).toEqual([[], true, names.length]);
});
