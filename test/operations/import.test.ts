import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../../infra/client/client.ts';
import { readCredentials } from '../../infra/local/credentials.ts';
import { exportedKinds } from '../../infra/operations/exported-kinds.ts';
import { treatmentOf } from '../../infra/operations/import/import-export.ts';
import { resourceNames } from '../../infra/operations/import/resources.ts';
import { importedLeads } from '../harness/heavy.ts';
import { inOneFile } from '../harness/in-one-file.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { startRunnerProcess, temporaryFolder } from '../local/runner-process.ts';

const command = operatorsCommand('import');
const folder = temporaryFolder(afterAll);
let api: Client;

beforeAll(async () => {
  await startRunnerProcess({ DATA_DIR: folder }, { atEnd: afterAll });
  const credentials = readCredentials(join(folder, 'credentials.json'));
  if (!credentials) throw new Error('The runner wrote no credentials');
  const { baseUrl, accountId: account, adminEmail: email, adminPassword: password } = credentials;
  api = createClient({ baseUrl, account, email, password });
  process.env.DATA_DIR = folder;
}, 60_000);
afterAll(() => void delete process.env.DATA_DIR);

interface Found {
  id: number;
  [field: string]: unknown;
}

/** Writes an input file and returns its path. */
function input(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const rejectedOf = (file: string) => readFileSync(`${file}.rejected.csv`, 'utf8');

async function found(path: `/${string}`, query: Record<string, unknown> = {}): Promise<Found[]> {
  const { data } = await api.GET(path, { params: { query: { pageSize: 100, ...query } } });
  return (Array.isArray(data) ? data : (data as { data: Found[] }).data) as Found[];
}

test('records of every kind are imported', async () => {
  const files: Record<string, string> = {
    users: 'Email address,Full name,Mobile\ngrace@example.com,Grace Hopper,+1 415 555 0134\n',
    teams: 'Team name,Description\nWest,Pacific\n',
    'lead-sources': 'Source name,active\nFair,no\n',
    lookups:
      'table,field,value,Label,displayOrder,metadata\nmerchant,category,cafe,Café,10,"{""mcc"":""5814""}"\n',
    tickets:
      'Subject,Body,requesterType,requesterId,Requester,Email,tags,category\nNo receipt,Dark,external,c-1,Ada,ada@example.com,a; b,Technical\n',
    merchants:
      'Merchant,Status,principals.0.firstName,principals.0.ssn,Street,processing.monthlyVolume,mids.0.mid,mids.1.mid,notes.0.content\n' +
      'Harbor,Active,Ada,123-45-6789,12 Harbor Street,"$25,000.50",4445,4446,Call back\n',
  };
  for (const [resource, content] of Object.entries(files))
    expect(await command.here(resource, input(`${resource}.csv`, content)), resource).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 rows: 1 imported, 0 imported before, 0 rejected.'),
    });
  const [merchant] = await found('/merchants', { search: 'Harbor' });
  const merchantId = String(merchant?.id);
  const { data } = await api.GET('/merchants/{merchantId}', { params: { path: { merchantId } } });
  expect(data).toMatchObject({
    status: 'active',
    principals: [{ firstName: 'Ada', ssn: 'REDACTED' }],
    addresses: [{ street1: '12 Harbor Street' }],
    processing: { monthlyVolume: 25_000.5 },
    notes: [{ content: 'Call back' }],
  });
  const { data: mids } = await api.GET('/merchants/{merchantId}/mids', { params: { path: { merchantId } } });
  expect(mids).toMatchObject({ totalCount: 2 });
  expect(await found('/users')).toContainEqual(
    expect.objectContaining({ email: 'grace@example.com', name: 'Grace Hopper' }),
  );
  expect(await found('/lead-sources')).toContainEqual(
    expect.objectContaining({ name: 'Fair', active: false }),
  );
  expect(await found('/tickets')).toContainEqual(
    expect.objectContaining({ subject: 'No receipt', tags: ['a', 'b'] }),
  );
  const midRow = `merchantId,mid\n${merchantId},4447\n`;
  expect(await command.here('mids', input('mids.csv', midRow))).toMatchObject({ code: 0 });
  const noteRow = `${JSON.stringify({ merchantId: Number(merchantId), content: 'Second' })}\n`;
  expect(await command.here('notes', input('notes.jsonl', noteRow))).toMatchObject({ code: 0 });
  expect([...Object.keys(files), 'mids', 'notes', 'leads'].sort()).toEqual([...resourceNames].sort());
});

/** The team that the first test creates must not be required in leads. */
const asLeads = async (name: string, content: string | Uint8Array, ...options: string[]) => {
  for (const { id } of await found('/teams')) await api.DELETE('/teams/{id}', { params: { path: { id } } });
  return command.here('leads', input(name, content), ...options);
};

test('UTF-8 with a BOM, Windows-1252, semicolons and quoted line breaks are read', async () => {
  await asLeads('bom.csv', '\ufeffFirst Name,Surname,Notes\r\nZoë,Encodings,"one\r\ntwo"\r\n');
  await asLeads('latin.csv', Buffer.from('First Name;Surname\nJosé;Encodings\n', 'latin1'));
  const leads = await found('/leads', { search: 'Encodings' });
  expect(leads.map(({ firstName, notes }) => [firstName, notes])).toEqual([
    ['José', undefined],
    ['Zoë', 'one\r\ntwo'],
  ]);
});

test('each invalid row is named by line and column, and written to a file with its reason', async () => {
  const rows = Array.from({ length: 40 }, (_, n) =>
    n % 20 === 7 ? `"A\nb",Invalid,many,maybe` : `Ada${n},Valid,${n},yes`,
  );
  const file = join(folder, 'invalid.csv');
  const text = `First,Last,Employees,interestedInSwitching\n\n${rows.join('\n')}\n`;
  const expected = [10, 31].flatMap((line) => [
    `line ${line}, column "Employees": must be a whole number`,
    `line ${line}, column "interestedInSwitching": must be true or false`,
  ]);
  const preview = await asLeads('invalid.csv', text, '--dry-run', '--json');
  expect(JSON.parse(preview.stdout)).toEqual({
    rows: 40,
    imported: 0,
    known: 0,
    rejected: 2,
    unused: [],
    errors: expected,
  });
  expect(preview.code).toBe(1);
  expect(existsSync(`${file}.import-state.jsonl`)).toBe(false);
  const { code, stdout } = await command.here('leads', file);
  expect(code).toBe(1);
  expect(stdout).toContain(`${expected.join('\n')}\n40 rows: 38 imported, 0 imported before, 2 rejected.`);
  expect(rejectedOf(file)).toContain('10,"column ""Employees"": must be a whole number; ');
  // A corrected file of rejected rows can be imported.
  const corrected = rejectedOf(file).replaceAll('many', '3').replaceAll('maybe', 'no');
  expect(await asLeads('corrected.csv', corrected)).toMatchObject({ code: 0 });
});

test('an error of the service is reported by line and column', async () => {
  const { code, stdout } = await asLeads('unknown-user.csv', 'First,Last,Owner\nA,B,nobody@example.com\n');
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^line 2, column "Owner": is not an active user/m),
  ]);
});

test('columns are suggested from the headers, and a map replaces the suggestions', async () => {
  const text = 'Given Name,Family Name,Junk,Lead Owner\nMapped,Columns,Acme,\n';
  const map = join(folder, 'map.json');
  expect(await asLeads('mapped.csv', text, '--write-map', map)).toMatchObject({ code: 0, stderr: '' });
  const suggested = JSON.parse(readFileSync(map, 'utf8'));
  expect(suggested).toEqual({
    'Given Name': 'firstName',
    'Family Name': 'lastName',
    Junk: null,
    'Lead Owner': 'assignedTo',
  });
  writeFileSync(map, JSON.stringify({ ...suggested, Junk: 'company' }));
  expect(await asLeads('mapped.csv', text, '--map', map)).toMatchObject({ code: 0 });
  expect(await found('/leads', { search: 'Mapped' })).toMatchObject([{ company: 'Acme' }]);
  writeFileSync(map, '{"Junk":"salary"}');
  expect(await asLeads('mapped.csv', text, '--map', map)).toMatchObject({
    code: 1,
    stderr: 'The map assigns "Junk" to "salary", which is not a field of leads.\n',
  });
});

test('a repeated import skips imported rows, also after a day and in a file with new rows', async () => {
  const row = 'Same,Row\n';
  await asLeads('repeated.csv', `First,Last\n${row}${row}`);
  const state = `${join(folder, 'repeated.csv')}.import-state.jsonl`;
  writeFileSync(state, readFileSync(state, 'utf8').replaceAll(/"sentAt":"\d{4}/g, '"sentAt":"2020'));
  const { stdout } = await asLeads('repeated.csv', `First,Last\nNew,Row\n${row}${row}`);
  expect(stdout).toContain('3 rows: 1 imported, 2 imported before, 0 rejected.');
  // Without its response, a row of an earlier day may or may not exist.
  writeFileSync(state, readFileSync(state, 'utf8').replaceAll(/.*"id":.*\n/g, ''));
  const doubtful = await asLeads('repeated.csv', `First,Last\n${row}`);
  expect(doubtful).toMatchObject({ code: 1, stdout: expect.stringContaining('so the record may exist') });
  expect(await found('/leads', { search: 'Same' })).toHaveLength(2);
});

test('an import that is killed and repeated creates every lead once', async () => {
  const names = Array.from({ length: importedLeads }, (_, n) => `K${n}`);
  await asLeads('none.csv', 'First,Last\nA,B\n');
  const file = input('killed.csv', `First,Last\n${names.map((name) => `${name},Killed`).join('\n')}\n`);
  const program = await inOneFile('infra/operations/import.ts');
  const state = `${file}.import-state.jsonl`;
  const importedIn = () => (existsSync(state) ? readFileSync(state, 'utf8').match(/"id":/g)?.length : 0) ?? 0;
  const killed = spawn(process.execPath, [program, 'leads', file], { stdio: 'ignore' });
  const ended = new Promise((resolve) => killed.once('close', (_, signal) => resolve(signal)));
  while (importedIn() < importedLeads / 4) await new Promise((resolve) => setTimeout(resolve, 5));
  killed.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  expect(importedIn()).toBeLessThan(importedLeads);
  expect(await command.asProcess('leads', file)).toMatchObject({ code: 0, stderr: '' });
  const all: string[] = [];
  // A list contains its newest 10,000 records, so a duplicate would displace another lead.
  for (let page = 1; page <= Math.ceil(importedLeads / 100); page += 1) {
    const leads = await found('/leads', { page, search: 'Killed' });
    all.push(...leads.map(({ firstName }) => String(firstName)));
  }
  expect(all.sort()).toEqual(names.sort());
  rmSync(state);
}, 1_200_000);

test('every kind of an account export is imported, or has a reason why it is not', () => {
  expect(exportedKinds.filter((kind) => treatmentOf(kind) === undefined)).toEqual([]);
});

test('an account export is imported into another account, with the references between its records', async () => {
  const credentials = readCredentials(join(folder, 'credentials.json'));
  const accountId = String(credentials?.accountId);
  const merchants = 'Merchant,status,mids.0.mid,notes.0.content\nExported,closed,7777,Moved\n';
  await command.here('merchants', input('moved.csv', merchants));
  const options = 'table,field,value\nmerchant,moved,cafe\n';
  expect(await command.here('lookups', input('moved-options.csv', options))).toMatchObject({ code: 0 });
  const [merchant] = await found('/merchants', { search: 'Exported' });
  const ticket = `Subject,Body,requesterType,requesterId,requesterEmail,category,merchantId\nMoved,Dark,merchant,${merchant?.id},a@example.com,technical,${merchant?.id}\n`;
  expect(await command.here('tickets', input('moved-tickets.csv', ticket))).toMatchObject({ code: 0 });
  const file = join(folder, 'account.jsonl');
  expect(await operatorsCommand('account-export').here('--account', accountId, '--out', file)).toMatchObject({
    code: 0,
  });
  const created = await operatorsCommand('account-create').here(
    '--name',
    'Target',
    '--email',
    'target@example.com',
  );
  const { apiKey, apiSecret } = JSON.parse(created.stdout);
  process.env.API_KEY = apiKey;
  process.env.API_SECRET = apiSecret;
  const baseUrl = String(credentials?.baseUrl);
  const { stdout, stderr } = await command.here('account', file, '--base-url', baseUrl);
  expect(stderr).toBe('');
  expect(stdout).toContain('  event (');
  // An API key is not an administrator, so it cannot create lookups. The address of the user is taken.
  expect(stdout).toContain('Only an administrator of the account may do this.');
  const target = createClient({ baseUrl, apiKey, apiSecret });
  const { data } = await target.GET('/tickets', { params: { query: { search: 'Moved' } } });
  const { data: moved } = await target.GET('/merchants', { params: { query: { search: 'Exported' } } });
  const [copy] = (moved as { data: Found[] }).data;
  expect(copy?.id).not.toBe(merchant?.id);
  expect(data).toMatchObject({ data: [{ merchantId: copy?.id, requesterId: String(copy?.id) }] });
  const again = await command.here('account', file, '--base-url', baseUrl, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ imported: 0 });
  for (const name of ['API_KEY', 'API_SECRET']) delete process.env[name];
});
