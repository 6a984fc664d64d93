import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../infra/administration/free-port.ts';
import { inOneFile } from '../harness/in-one-file.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { examplesOf, examplesUnder, journey, runExamples, tour } from './examples.ts';
import { startRunnerProcess } from './runner-process.ts';

const readme = journey.flatMap((heading) => examplesUnder('README.md', heading));
const [helpers = { lines: '' }] = readme;
/** All tours except the tour in webhook-tour.test.ts. The operators' commands run from a bundled file. */
const commands = await inOneFile('infra/operations/main.ts');
const port = await freePort();
const tours = examplesOf(tour)
  .filter(({ heading }) => heading !== 'Events and webhooks')
  .map((example) => ({
    ...example,
    lines: example.lines
      .replace('--import tsx infra/operations/main.ts', commands)
      .replace('partner simulate', `partner simulate --port ${port}`),
  }));
const salesLines = examplesUnder(tour, 'From a lead to a merchant')
  .map(({ lines }) => lines)
  .join('');

/** Values of all five kinds of sensitive fields, as the tour sends them. */
const sensitive = ['12-3456789', '000123456789', '123-45-6789', 'D1234567', '1985-12-10'];
/** The same values, with and without separators. */
const spellings = [...sensitive, '123456789', '19851210'];
/**
 * A sensitive value in a request of README and in its response, with and without separators.
 */
const ofReadme = ['321-54-9876', '321549876'];

interface Answer {
  id?: unknown;
  documentKey?: string;
  url?: string;
  auditLog?: unknown;
}

/** Parses the lines of an output that are JSON objects. */
const answersIn = (output: string): Answer[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Answer);

/** Redefines curl, so that each response is also appended to the file `answers` as one line. */
const recorder = {
  lines: `curl() { command curl "$@" >answer || return; cat answer; printf '%s\\n' "$(cat answer)" >>answers; }`,
};

/** All files below a folder, except sockets, with their content. */
const filesIn = (folder: string): { name: string; bytes: Buffer }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));

test('README and the tours print the documented output, keep their data after a SIGKILL, and reveal sensitive values only on request', async () => {
  const folder = temporaryFolder();
  const data = join(folder, '.local');
  const first = await startRunnerProcess({ DATA_DIR: data });
  const variables = ['account', 'application', 'appKey', 'merchant'];
  const printVariables = { lines: variables.map((name) => `echo "${name}='$${name}'"`).join('\n') };
  const output = await runExamples([recorder, ...readme, ...tours, printVariables], folder);
  const assignments = output.trimEnd().split('\n').slice(-variables.length);
  const [, , appKey = '', merchant = ''] = assignments.map((line) => line.split("'")[1]);

  for (const value of sensitive) expect(salesLines).toContain(value);
  const answers = answersIn(readFileSync(join(folder, 'answers'), 'utf8'));
  const showing = answers.filter((answer) =>
    spellings.some((value) => JSON.stringify(answer).includes(value)),
  );
  expect(showing).toMatchObject([
    {
      id: Number(merchant),
      principals: [{ ssn: '123-45-6789', driversLicenseNumber: 'D1234567', dateOfBirth: '1985-12-10' }],
      banking: { accountNumber: '000123456789' },
    },
  ]);

  const [, applicant = ''] = /^(applicant\(\) \{.*?^\})$/ms.exec(salesLines) ?? [];
  const reads = new Set(
    [...salesLines.matchAll(/^((?:api|applicant) \S+) \|/gm)].map(([, read = '']) => read),
  );
  expect(reads.size).toBe(5);
  const read = async (...more: string[]) => {
    const lines = [...assignments, applicant, ...reads, 'api "/applications/$application"', ...more].join(
      '\n',
    );
    const shown = answersIn(await runExamples([helpers, { lines }], folder));
    // Omits the audit log, because each read of sensitive values adds an entry to the log after a delay.
    return shown.map(({ auditLog: _, ...answer }) => answer);
  };
  const before = await read();
  await first.kill('SIGKILL');
  const second = await startRunnerProcess({ DATA_DIR: data });
  const [uploaded] = answers.flatMap(({ id, documentKey }) => (documentKey === undefined ? [] : [id]));
  const after = await read(`api "/applications/$application/documents/${uploaded}/link"`);
  const link = after.pop();
  expect(after).toEqual(before);
  expect(before).toHaveLength(6);
  const file = await fetch(link?.url ?? '');
  expect([file.status, await file.text()]).toEqual([200, '%PDF-1.7\nA scan.\n']);

  // Checks that the search finds a value that is not sensitive. An unencrypted sensitive value would be
  // found, too.
  await second.kill('SIGKILL');
  const files = filesIn(data);
  const holding = (value: string) =>
    files.filter(({ bytes }) => bytes.includes(value)).map(({ name }) => name);
  expect(holding('Harbor Street Coffee')).toContain('table.db');
  expect(first.output()).toContain('PATCH /applications/{applicationId}');
  for (const value of [...spellings, ...ofReadme, appKey]) {
    expect(holding(value), value).toEqual([]);
    expect(first.output() + second.output()).not.toContain(value);
  }
});
