import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { generatedMails } from '../harness/heavy.ts';
import { inOneFile } from '../harness/in-one-file.ts';
import { tenant } from '../harness/tenant.ts';
import { addressOf, received } from './incoming-mail.ts';

const run = promisify(execFile);

interface Summary {
  count: number;
  broken: object[];
  large: { of: string; leftOut: string[]; milliseconds: number }[];
}

test('generated and large mails are parsed with 160 MB of heap: no header is injected, and what is missing is stated', async () => {
  const program = await inOneFile('test/correspondence/parse-generated-mails.ts');
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { stdout } = await run(process.execPath, [
    '--max-old-space-size=160',
    program,
    `${generatedMails}`,
    `${seed}`,
  ]);
  const { count, broken, large } = JSON.parse(stdout) as Summary;
  expect(broken, `seed ${seed}`).toEqual([]);
  expect(count).toBe(generatedMails + large.length);
  const complete = large.filter(({ leftOut }) => leftOut.length === 0).map(({ of }) => of);
  expect(complete).toEqual(['an attachment of 29 MB']);
});

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
