import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { lineOf } from '../../shared/correspondence/incoming/mail-texts.ts';
import { mailLimits } from '../../shared/correspondence/mails/schema.ts';
import { parseInProcess, parserPromise, slowIn } from '../correspondence/run-parser.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const run = promisify(execFile);

/** A mail that Python wrote. */
interface WrittenMail {
  file: string;
  subject: string | null;
  from: string;
  text: string | null;
  attachments: string[];
}

const count = 1_000;

test('mails that Python writes are read with their subjects, texts and files, within 5 s and 256 MB', async () => {
  const folder = temporaryFolder(onTestFinished);
  const seed = Math.floor(Math.random() * 2 ** 20);
  const { stdout } = await run(
    'python3',
    [join(root, 'test/mail-clients/write_mails.py'), folder, `${count}`, `${seed}`],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  const written = JSON.parse(stdout) as WrittenMail[];
  const { results, peak } = await parseInProcess(written.map(({ file }) => join(folder, file)));
  const read = new Map(results.map((one) => [one.file, one]));
  for (const { file, subject, from, text, attachments } of written) {
    const mail = read.get(file);
    const label = `seed ${seed}, ${file}`;
    expect(mail, label).toMatchObject({
      ...{ broken: [], from: [from] },
      ...(subject !== null && { subject: lineOf(subject, mailLimits.subject) }),
      attachments: attachments.map((name) => lineOf(name, mailLimits.fileName)),
    });
    if (text !== null) expect(mail?.text?.trimEnd(), label).toBe(text.slice(0, mail?.text?.length).trimEnd());
  }
  expect(results).toHaveLength(count);
  expect(slowIn(results)).toEqual([]);
  expect(peak).toBeLessThan(parserPromise.megabytes);
});
