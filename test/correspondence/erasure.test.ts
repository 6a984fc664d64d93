import { ListObjectVersionsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { eraseItems } from '../../shared/closing/erase-items.ts';
import { openFilesBucket } from '../../shared/closing/files-bucket.ts';
import { removeRawMails } from '../../shared/closing/remove-objects.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { plantMail } from './planted-mails.ts';

const [acme, other] = [await tenant(), await tenant()];
const bucket = openFilesBucket();

async function* pages() {
  yield await scanTable();
}
const erase = (count: boolean) =>
  eraseItems(acme.accountId as AccountId, {
    count,
    pages: pages(),
    ownLogs: new Set(),
    writeDeadline: () => Date.now() + 60_000,
    removeRawMails: (keys) => removeRawMails(bucket, keys),
  });
const rawMails = async (): Promise<(string | undefined)[]> => {
  const { s3, bucket: Bucket } = bucket;
  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'mail/' }));
  return Versions.map(({ Key }) => Key);
};

test('the erasure of an account removes its mails with their raw mails, and a preview removes nothing', async () => {
  const [mine, theirs] = [
    await plantMail(acme, { rawKey: 'mail/mine', direction: 'outgoing', providerId: 'mine' }),
    await plantMail(other, { rawKey: 'mail/theirs' }),
  ];
  for (const Key of ['mail/mine', 'mail/theirs'])
    await bucket.s3.send(new PutObjectCommand({ Bucket: bucket.bucket, Key, Body: 'Subject: Hello' }));
  await erase(true);
  expect(await rawMails()).toEqual(['mail/mine', 'mail/theirs']);
  await erase(false);
  expect(await rawMails()).toEqual(['mail/theirs']);
  expect(await mails.find(mine.accountId, mine.id)).toBeUndefined();
  expect(await mails.findByProviderId(mine.accountId, 'mine')).toBeUndefined();
  expect(await mails.find(theirs.accountId, theirs.id)).toEqual(theirs);
});
