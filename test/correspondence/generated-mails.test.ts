import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generatedMails } from '../harness/heavy.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { tenant } from '../harness/tenant.ts';
import { largeMails, longTexts, randomMails } from './generate-mails.ts';
import { addressOf, received } from './incoming-mail.ts';
import { parseInProcess, parserPromise, slowIn } from './run-parser.ts';

/** Writes a mail or a text to a file. Returns its path. */
const written = (folder: string, name: string, content: Uint8Array | string): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

test('random mails are parsed within 5 s and 256 MB: no header is injected, and what is missing is stated', async () => {
  const folder = temporaryFolder(onTestFinished);
  const seed = Math.floor(Math.random() * 2 ** 31);
  const files = randomMails(generatedMails, seed).map((raw, n) => written(folder, `${n}.eml`, raw));
  const { results, peak } = await parseInProcess(files);
  expect(
    results.filter(({ broken }) => broken.length > 0),
    `seed ${seed}`,
  ).toEqual([]);
  expect(results).toHaveLength(generatedMails);
  expect(slowIn(results)).toEqual([]);
  expect(peak).toBeLessThan(parserPromise.megabytes);
});

test.each(Object.entries(largeMails()))(
  '%s is parsed within 5 s and 256 MB, and the record says what is missing',
  async (name, raw) => {
    const { results, peak } = await parseInProcess([
      written(temporaryFolder(onTestFinished), 'raw.eml', raw()),
    ]);
    expect(results).toMatchObject([{ broken: [] }]);
    expect(results[0]?.leftOut.length === 0).toBe(name === 'an attachment of 29 MB');
    expect(slowIn(results)).toEqual([]);
    expect(peak).toBeLessThan(parserPromise.megabytes);
  },
);

test('the visible part of a text of 1 MB is found within 5 s', async () => {
  const folder = temporaryFolder(onTestFinished);
  const files = longTexts.map((text, n) => written(folder, `${n}.txt`, text));
  const { results } = await parseInProcess(files);
  expect(results).toHaveLength(longTexts.length);
  expect(slowIn(results)).toEqual([]);
});

test.each(['windows-1252', 'iso-8859-1'])(
  'a text of Windows that is declared as %s keeps its currency, quotation marks and dashes',
  async (charset) => {
    const { accountId } = await tenant();
    const header = `From: ada@example.com\r\nSubject: =?${charset}?q?=80_100?=\r\nContent-Type: text/plain; charset=${charset}`;
    const body = Buffer.of(0x93, 0x80, 0x31, 0x30, 0x94, 0x20, 0x96, 0x20, 0xe9, 0x85);
    const raw = Buffer.concat([Buffer.from(`${header}\r\n\r\n`), body]);
    const mail = await received(accountId, { to: await addressOf(accountId), raw });
    expect(mail).toMatchObject({ subject: '€ 100', text: '“€10” – é…' });
  },
);

test.each([
  ['winmail.dat', 'application/ms-tnef', 'The type of the file is not allowed.'],
  ['smime.p7m', 'application/pkcs7-mime; smime-type=enveloped-data', 'The type of the file is not allowed.'],
  ['invite.ics', 'text/calendar; method=REQUEST', 'The type of the file is not allowed.'],
])('the raw mail with %s is kept, and the record says that it is no document', async (name, type, reason) => {
  const { accountId } = await tenant();
  const mail = await received(accountId, {
    to: await addressOf(accountId),
    headers: {
      'Content-Type': `${type}; name=${name}`,
      'Content-Disposition': `attachment; filename=${name}`,
    },
    body: 'content',
  });
  expect(mail.rawKey).toMatch(/^mail\//);
  expect(mail.attachments).toMatchObject([{ fileName: name, leftOut: reason }]);
});
