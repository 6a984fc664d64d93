import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf, runLines } from './readme-lines.ts';
import { startRunnerProcess, temporaryFolder } from './runner-process.ts';

const prelude = linesOf('A first request');
const walk = linesOf('From a lead to a merchant');
const desk = linesOf('A support desk');
/** The lines of the walk that only read, in their order. */
const reads = walk
  .split('\n')
  .filter((line) => /^(api|merchantly) \S+$/.test(line))
  .filter((line, at, all) => all.indexOf(line) === at);

/** The values of all five sensitive kinds, as the walk sends them. */
const sensitive = ['12-3456789', '000123456789', '123-45-6789', 'D1234567', '1985-12-10'];
/** A number is one however it is written, and whatever writes it may leave signs out. */
const spellings = [...sensitive, '123456789', '19851210'];

interface Answer {
  id?: unknown;
  email?: unknown;
  next?: { kind: string; documentKey: string }[];
  documentKey?: string;
  url?: string;
  auditLog?: unknown;
}

const answersIn = (output: string): Answer[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Answer);

/** Every file below a folder, with what it holds; the lock is a socket. */
const filesIn = (folder: string): { name: string; bytes: Buffer }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));

/** What each line of the support desk is there to show. */
function showDesk([, grace, previewed, refused, assignment, ...others]: Answer[]): void {
  expect(grace).toMatchObject({ email: 'grace@example.com' });
  expect(previewed).toMatchObject({
    data: [{ slot: 0 }, { slot: 1, email: 'grace@example.com' }, { slot: 2 }],
    skipped: [],
  });
  expect(refused).toMatchObject({ status: 400, details: [{ field: 'customFields.model' }] });
  expect(assignment).toMatchObject({ how: 'rotation', turn: { slot: 0, position: 0, skipped: [] } });
  const [asked, told, comments, changed, sla, list, ...bulk] = others;
  expect(asked).toMatchObject({ visibility: 'public', authorType: 'staff' });
  expect(told).toMatchObject({ authorType: 'customer', author: 'ada@example.com' });
  expect(comments).toMatchObject({ data: [told, asked], totalCount: 2 });
  expect(changed).toMatchObject({
    ticketNumber: 'TKT-000001',
    requesterName: 'Ada Byron',
    status: 'in_progress',
    priority: 'high',
    tags: ['Printer'],
    responseCount: 1,
    slaFirstResponseMet: true,
    slaStatus: 'on_time',
  });
  const kinds = ['created', 'response', 'status', 'status', 'status', 'priority'];
  expect(sla).toMatchObject({ entries: kinds.map((kind, at) => ({ n: at + 1, kind })) });
  expect(list).toMatchObject({ data: [{ ticketNumber: 'TKT-000001' }], totalCount: 1 });

  const made = bulk.splice(0, 3);
  const numbers = made.map((_, at) => ({ ticketNumber: `TKT-00000${at + 2}`, status: 'open' }));
  expect(made).toMatchObject(numbers);
  const [dryRun, resolved, undone, none, missing] = bulk;
  const results = [null, null, null, 'not_found'].map((error) => ({ success: error === null, error }));
  expect(dryRun).toMatchObject({ dryRun: true, answer: { successCount: 3, failureCount: 1, results } });
  expect(resolved).toMatchObject({ totalCount: 3 });
  expect(undone).toMatchObject({ success: true, successCount: 3 });
  expect(none).toMatchObject({ data: [], totalCount: 0 });
  expect(missing).toMatchObject({ error: 'not_found', status: 404 });
  expect(bulk).toHaveLength(5);
}

test('the walk from a lead to a merchant and on to its support desk runs as it stands in README, keeps its secrets, and reads the same after a SIGKILL, the files that curl uploaded by their links', async () => {
  const folder = temporaryFolder();
  const data = join(folder, '.local');
  const first = await startRunnerProcess({ DATA_DIR: data });
  const variables = ['lead', 'application', 'appKey', 'merchant'];
  const tell = variables.map((name) => `printf '%s\\n' "${name}='$${name}'"`);
  const output = await runLines([prelude, walk, ...tell], folder);
  const told = output.trimEnd().split('\n').slice(-variables.length);
  const [, application = '', appKey = '', merchant = ''] = told.map((line) => line.split("'")[1]);
  const answers = answersIn(output);
  for (const answer of answers) expect(answer, JSON.stringify(answer)).not.toHaveProperty('error');

  // What each line is there to show.
  const [, filledIn, left, ...others] = answers;
  expect(filledIn).toMatchObject({
    id: application,
    basics: { dbaName: 'Harbor Street Coffee', dbaTaxId: 'REDACTED' },
    businessOwners: [{ uniqueId: 'ada', socialSecurityNumber: 'REDACTED' }],
  });
  const next = left?.next ?? [];
  expect(next.map(({ kind }) => kind)).toEqual(next.map(() => 'document'));
  const keys = next.map(({ documentKey }) => documentKey);
  expect(keys).toContain('voided-check');
  expect(others.splice(0, keys.length).map(({ documentKey }) => documentKey)).toEqual(keys);
  const [ready, submitted, earlier, collisions, dryRun, shown, revealed, mid, mids, ...more] = others;
  expect(ready).toMatchObject({ isComplete: true, next: [] });
  expect(submitted).toMatchObject({ system: { appStatus: 'submitted' } });
  expect(collisions).toMatchObject({
    data: [{ kind: 'ssn', records: [{ type: 'application', id: earlier?.id }] }],
  });
  expect(dryRun).toMatchObject({ dryRun: true, answer: { system: { appStatus: 'approved' } } });
  expect(shown).toMatchObject({
    id: Number(merchant),
    applicationId: application,
    principals: [{ firstName: 'Ada', lastName: 'Byron', ssn: 'REDACTED' }],
    banking: { accountNumber: 'REDACTED' },
  });
  expect(revealed).toMatchObject({
    principals: [{ ssn: '123-45-6789', driversLicenseNumber: 'D1234567', dateOfBirth: '1985-12-10' }],
    banking: { accountNumber: '000123456789' },
  });
  expect([mids, more]).toMatchObject([{ data: [mid], totalCount: 1 }, []]);
  showDesk(answersIn(await runLines([prelude, ...told, desk], folder)));
  for (const value of sensitive) expect(walk).toContain(value);
  const unasked = JSON.stringify(answers.filter((answer) => answer !== revealed));
  for (const value of spellings) expect(unasked).not.toContain(value);

  const [, merchantly = ''] = /^(merchantly\(\) \{.*?^\})$/ms.exec(walk) ?? [];
  expect(reads).toHaveLength(5);
  const read = async (...more: string[]) => {
    const lines = [prelude, merchantly, ...told, ...reads, 'api "/applications/$application"', ...more];
    const [, ...shownNow] = answersIn(await runLines(lines, folder));
    // Each reading of what is sensitive adds an entry to the audit log, a little later.
    return shownNow.map(({ auditLog: _, ...answer }) => answer);
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

  // What is not sensitive can be found in the table's file, so that what is would be too.
  await second.kill('SIGKILL');
  const files = filesIn(data);
  const holding = (value: string) =>
    files.filter(({ bytes }) => bytes.includes(value)).map(({ name }) => name);
  expect(holding('Harbor Street Coffee')).toContain('table.db');
  expect(first.output()).toContain('PATCH /applications/{applicationId}');
  for (const value of [...spellings, appKey]) {
    expect(holding(value), value).toEqual([]);
    expect(first.output() + second.output()).not.toContain(value);
  }
});
