import { ListObjectVersionsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import linkRawMail from '../../functions/mails/link-raw-mail.ts';
import { eraseItems } from '../../shared/closing/erase-items.ts';
import { openFilesBucket } from '../../shared/closing/files-bucket.ts';
import { removeRawMails } from '../../shared/closing/remove-objects.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { clock } from '../harness/clock.ts';
import { scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { addressOf, deliverMessages, recordOf, storeMail } from './incoming-mail.ts';
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

test('a mail to two accounts has a raw mail for each, and the erasure of one account leaves that of the other', async () => {
  const to = [await addressOf(acme.accountId as AccountId), await addressOf(other.accountId as AccountId)];
  const raw = 'From: ada@example.com\r\nSubject: For both\r\n\r\nHello';
  const mail = { to, id: 'mail-to-two-accounts', receivedAt: clock.now(), raw };
  const message = await storeMail(mail);
  await deliverMessages([message]);
  await deliverMessages([message]);
  const [mine, theirs] = await Promise.all(
    [acme, other].map(({ accountId }) => recordOf(accountId as AccountId, mail)),
  );
  expect(await rawMails()).toEqual([mine?.rawKey, theirs?.rawKey].sort());
  await erase(false);
  expect(await rawMails()).toEqual([theirs?.rawKey]);
  const { url } = await other.directKey.ok(linkRawMail, { params: { mailId: theirs?.id ?? 0 } });
  expect(await (await fetch(url)).text()).toBe(raw);
});

test('the erasure of an account removes its mails with their raw mails, and a preview removes nothing', async () => {
  const [mine, theirs] = [
    await plantMail(acme, { rawKey: 'mail/mine', direction: 'outgoing', providerId: 'mine' }),
    await plantMail(other, { rawKey: 'mail/mine-2' }),
  ];
  for (const Key of ['mail/mine', 'mail/mine-2'])
    await bucket.s3.send(new PutObjectCommand({ Bucket: bucket.bucket, Key, Body: 'Subject: Hello' }));
  await erase(true);
  expect(await rawMails()).toEqual(expect.arrayContaining(['mail/mine', 'mail/mine-2']));
  await erase(false);
  expect((await rawMails()).filter((key) => key?.startsWith('mail/mine'))).toEqual(['mail/mine-2']);
  expect(await mails.find(mine.accountId, mine.id)).toBeUndefined();
  expect(await mails.findByProviderId(mine.accountId, 'mine')).toBeUndefined();
  expect(await mails.find(theirs.accountId, theirs.id)).toEqual(theirs);
});
