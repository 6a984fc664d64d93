import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type LocalCredentials, readCredentials } from '../../infra/administration/credentials.ts';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';
import { type Client, createClient } from '../../infra/client/client.ts';
import { rejectedPath } from '../../infra/operations/import/rejected-rows.ts';
import { resourceNames } from '../../infra/operations/import/resource-names.ts';
import { importedLeads } from '../harness/heavy.ts';
import { inOneFile } from '../harness/in-one-file.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { atEndOfAll, temporaryFolder } from '../harness/temporary-folder.ts';
import { startCloudFormation } from './cloud-formation.ts';
import { startRunnerProcess } from './runner-process.ts';

const command = operatorsCommand('records', 'import');
const atEnd = atEndOfAll();
const folder = temporaryFolder(atEnd);
let api: Client;
let local: LocalCredentials;

beforeAll(async () => {
  await startRunnerProcess({ DATA_DIR: folder }, { atEnd });
  const credentials = readCredentials(join(folder, 'credentials.json'));
  if (!credentials) throw new Error('The runner wrote no credentials');
  local = credentials;
  const { baseUrl, accountId: account, adminEmail: email, adminPassword: password } = credentials;
  api = createClient({ baseUrl, account, email, password });
  process.env.DATA_DIR = folder;
});
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

async function found(
  path: `/${string}`,
  query: Record<string, unknown> = {},
  client = api,
): Promise<Found[]> {
  const { data } = await client.GET(path, { params: { query: { pageSize: 100, ...query } } });
  return (Array.isArray(data) ? data : (data as { data: Found[] }).data) as Found[];
}

/** The numbers of rows in the output of an import. */
const counts = ({ created = 0, updated = 0, unchanged = 0, alreadyImported = 0, rejected = 0 }) =>
  `${created} created, ${updated} updated, ${unchanged} unchanged, ${alreadyImported} already imported, ${rejected} rejected.`;

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
      stdout: expect.stringContaining(`1 rows: ${counts({ created: 1 })}`),
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

/**
 * Imports leads. First deletes all teams, such as the team of the first test, because a lead must have a team if the
 * account has teams.
 */
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
    ['Zoë', 'one\ntwo'],
  ]);
});

test('each invalid row is named by line and column, and written to a file with its reason', async () => {
  const header = 'First,Last,Employees,interestedInSwitching\n\n';
  const rows = Array.from({ length: 400 }, (_, n) =>
    n % 20 === 7 ? `"A\nb",Invalid,many,maybe` : `Ada${n},Valid,${n},yes`,
  );
  const expected = Array.from({ length: 20 }, (_, n) => 10 + n * 21).flatMap((line) => [
    `line ${line}, column "First": must be one line, without control characters and direction overrides`,
    `line ${line}, column "Employees": must be a whole number`,
    `line ${line}, column "interestedInSwitching": must be true or false`,
  ]);
  const file = join(folder, 'invalid.csv');
  const preview = await asLeads('invalid.csv', `${header}${rows.join('\n')}\n`, '--dry-run', '--json');
  expect(JSON.parse(preview.stdout)).toEqual({
    rows: 400,
    created: 0,
    updated: 0,
    unchanged: 0,
    alreadyImported: 0,
    rejected: 20,
    unused: [],
    warnings: [],
    errors: expected,
  });
  expect(preview.code).toBe(1);
  expect(rejectedOf(file).match(/^\d+,.*,"A$/gm)).toHaveLength(20);
  expect(existsSync(`${file}.import-state.jsonl`)).toBe(false);
  const { code, stdout } = await asLeads('invalid.csv', `${header}${rows.slice(0, 40).join('\n')}\n`);
  expect(code).toBe(1);
  expect(stdout).toContain(
    `${expected.slice(0, 6).join('\n')}\n40 rows: ${counts({ created: 38, rejected: 2 })}`,
  );
  expect(rejectedOf(file)).toContain(
    '10,"column ""First"": must be one line, without control characters and direction overrides; column ""Employees"": must be a whole number; ',
  );
  // A corrected file of rejected rows can be imported.
  const corrected = rejectedOf(file)
    .replaceAll('A\nb', 'A b')
    .replaceAll('many', '3')
    .replaceAll('maybe', 'no');
  expect(await asLeads('corrected.csv', corrected)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`2 rows: ${counts({ created: 2 })}`),
  });
});

test('a row with fewer cells than the header is rejected, and can be imported again as written', async () => {
  const { code, stdout } = await asLeads('short.csv', 'First,Last,Company\nShort,Row\nWhole,Row,Acme\n');
  expect(code).toBe(1);
  expect(stdout).toContain('line 2: has 2 cells, but there are 3 columns\n2 rows: 1 created');
  expect(rejectedOf(join(folder, 'short.csv'))).toContain('Short,Row,\n');
  const { stdout: again } = await command.here('leads', rejectedPath(join(folder, 'short.csv')));
  expect(again).toContain(`1 rows: ${counts({ created: 1 })}`);
});

test('a misplaced quotation mark is imported as text, with a warning that names the line', async () => {
  const { code, stdout } = await asLeads(
    'quoted.csv',
    'First,Last,Company\nAda,Quoted,\nJoe,Quoted,"The "Boss""\n',
  );
  expect([code, stdout.match(/Warning: .*/g)]).toEqual([
    0,
    ['Warning: line 3: has a misplaced quotation mark, which is read as text'],
  ]);
  expect(await found('/leads', { search: 'Quoted', company: 'The "Boss"' })).toHaveLength(1);
});

test('an export of contacts from HubSpot is imported, with local times in the zone of the option or the account', async () => {
  const header =
    '"Record ID","First Name","Last Name","Email","Phone Number","Contact owner","Last Activity Date","Lead Status","Associated Company","Job Title","Number of Employees","Original Traffic Source","Create Date"';
  const row = (name: string) =>
    `"${name.length}","${name}","Hubspot","${name}@example.com","+1 415 555 0134","${local.adminEmail}","2026-03-01 09:30","New","Harbor Street Coffee","Owner","12","Organic Search","2026-02-11 16:02"`;
  const lead = {
    lastName: 'Hubspot',
    phone: '+1 415 555 0134',
    company: 'Harbor Street Coffee',
    jobTitle: 'Owner',
    numberOfEmployees: 12,
    source: 'Organic Search',
  };
  const fileOf = (name: string) => `${header}\r\n${row(name)}\r\n`;
  const zone = ['--zone', 'Asia/Kolkata'];
  expect(await asLeads('hubspot.csv', fileOf('Maria'), ...zone)).toMatchObject({ code: 0, stderr: '' });
  const { data } = await api.GET('/accounts/{id}', { params: { path: { id: local.accountId } } });
  const { timezone } = data as { timezone: string };
  await api.PATCH('/accounts/{id}', {
    params: { path: { id: local.accountId } },
    body: { timezone: 'America/New_York' },
  });
  onTestFinished(
    () => void api.PATCH('/accounts/{id}', { params: { path: { id: local.accountId } }, body: { timezone } }),
  );
  expect(await asLeads('hubspot-2.csv', fileOf('Leo'))).toMatchObject({ code: 0, stderr: '' });
  expect(await found('/leads', { search: 'Hubspot', sort: 'firstName' })).toMatchObject([
    { ...lead, email: 'Leo@example.com', lastContacted: '2026-03-01T14:30:00.000Z' },
    { ...lead, email: 'Maria@example.com', lastContacted: '2026-03-01T04:00:00.000Z' },
  ]);
  vi.stubEnv('API_KEY', local.apiKey);
  vi.stubEnv('API_SECRET', local.apiSecret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const asKey = await asLeads('hubspot-3.csv', fileOf('Ann'), '--base-url', local.baseUrl);
  expect(asKey).toMatchObject({ code: 1, stdout: expect.stringContaining('has no time zone. Add --zone') });
});

test('ambiguous numbers and dates are rejected until an option says how to read them', async () => {
  const text = 'First,Last,monthlyTransactionVolume,lastContacted\nAda,Ambiguous,25.000,3/1/2026\n';
  const { code, stdout } = await asLeads('ambiguous.csv', text);
  expect(code).toBe(1);
  expect(stdout).toContain(
    'line 2, column "monthlyTransactionVolume": "25.000" can mean 25 or 25000: add --decimal point or --decimal comma\n' +
      'line 2, column "lastContacted": "3/1/2026" can mean 2026-03-01 or 2026-01-03: add --dates mdy or --dates dmy\n' +
      `1 rows: ${counts({ rejected: 1 })}`,
  );
  const options = ['--decimal', 'comma', '--dates', 'dmy', '--zone', 'UTC'];
  expect(await asLeads('ambiguous.csv', text, ...options)).toMatchObject({ code: 0 });
  expect(await found('/leads', { search: 'Ambiguous' })).toMatchObject([
    { monthlyTransactionVolume: 25_000, lastContacted: '2026-01-03T00:00:00.000Z' },
  ]);
});

test('a copy of an imported file creates nothing, and a changed row warns about the probable duplicate', async () => {
  const text = 'First,Last,Email\nAda,Copied,ada.copied@example.com\n';
  await asLeads('original.csv', text);
  const { stdout } = await asLeads('copy.csv', text);
  expect(stdout).toContain(`1 rows: ${counts({ alreadyImported: 1 })}`);
  expect(stdout).not.toContain('Warning');
  const [lead] = await found('/leads', { search: 'Copied' });
  const changed = text.replace('Ada,', 'Augusta,');
  for (const [option, outcome] of [
    ['--dry-run', '1 rows, 1 valid'],
    ['--json', '"created": 1'],
  ] as const) {
    const imported = await asLeads('changed.csv', changed, option);
    expect(imported.stdout).toContain(outcome);
    expect(imported.stdout.replaceAll('\\', '')).toContain(
      `line 2, column "Email": is also the value of lead ${lead?.id}, so the row may be a duplicate`,
    );
  }
  expect(await found('/leads', { search: 'Copied' })).toHaveLength(2);
});

test('values are replaced on request, and the output names each column that is not imported', async () => {
  const text =
    'Subject,Status,Organization,Requester,Email,,Brand,Empty\nNo receipt,Solved ,Acme,Zoe,zoe@example.com,x,Main,\n';
  const file = input('zendesk.csv', text);
  const values = input('values.json', '{"Status":{"solved":"resolved"}}');
  const map = input(
    'zendesk-map.json',
    '{"Subject":"subject","Organization":"description","Brand":"description"}',
  );
  const options = ['--map', map, '--dry-run'];
  expect(await command.here('tickets', file, ...options)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('line 2, column "Status": must be one of'),
  });
  const { code, stdout } = await command.here('tickets', file, ...options, '--values', values);
  expect([code, stdout]).toEqual([1, expect.not.stringContaining('"Status": must')]);
  expect(stdout).toContain('  "Organization": description\n');
  expect(stdout).toContain('  "Brand": description, if "Organization" is empty\n');
  expect(stdout).toContain('Columns that are not imported: "column 6 without a name".\n');
  const { stdout: json } = await command.here('tickets', file, ...options, '--json');
  expect(JSON.parse(json)).toMatchObject({ unused: ['Empty', 'column 6 without a name'] });
  const wrong = input('wrong-values.json', '{"State":{}}');
  expect(await command.here('tickets', file, ...options, '--values', wrong)).toMatchObject({
    code: 1,
    stderr: 'The file of values names "State", which is not a column.\n',
  });
});

test('--match lists the rows that have an existing record, and updates these records on request', async () => {
  const header = 'First,Last,Email,Phone,Company\n';
  await asLeads(
    'matched-1.csv',
    `${header}Ada,Matched,ada.m@example.com,415 555 0134,Acme\nBob,Matched,,(415) 555-0199,Acme\n`,
  );
  const [bob, ada] = await found('/leads', { search: 'Matched', sort: 'createdAt' }).then((leads) =>
    ['Bob', 'Ada'].map((name) => leads.find(({ firstName }) => firstName === name)),
  );
  // Eve shares a phone number with Ada, but has another email, so she is another person.
  const rows =
    'Ada,Matched,ADA.M@example.com,,Byron LLC\n' +
    'Bob,Matched,bob.m@example.com,+1 415 555 0199,\n' +
    'Eve,Matched,eve.m@example.com,415 555 0134,Acme\n' +
    'Eve,Matched,eve.m@example.com,415 555 0134,Other\n';
  const match = ['--match', 'email,phone'];
  const listed = await asLeads('matched-2.csv', `${header}${rows}`, ...match);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toContain(
    `Warning: line 2, column "Email": is the value of lead ${ada?.id}, so the row was not imported\n` +
      `Warning: line 3, column "Phone": is the value of lead ${bob?.id}, so the row was not imported\n`,
  );
  expect(listed.stdout).toContain(`4 rows: ${counts({ created: 1, unchanged: 3 })}`);
  expect(await found('/leads', { search: 'Matched', company: 'Acme' })).toHaveLength(3);
  const update = [...match, '--on-match', 'update'];
  const updated = await asLeads('matched-3.csv', `${header}${rows}`, ...update);
  expect(updated.stdout).toContain(`4 rows: ${counts({ updated: 3, unchanged: 1 })}`);
  expect(await found('/leads', { search: 'Matched', sort: 'firstName' })).toMatchObject([
    {
      id: ada?.id,
      firstName: 'Ada',
      email: 'ADA.M@example.com',
      phone: '415 555 0134',
      company: 'Byron LLC',
    },
    { id: bob?.id, firstName: 'Bob', email: 'bob.m@example.com', company: 'Acme' },
    { firstName: 'Eve', company: 'Other' },
  ]);
  // A copy of the file finds the same records, whose values are already set.
  const again = await asLeads(
    'matched-4.csv',
    `${header}${rows.split('\n').slice(0, 2).join('\n')}\n`,
    ...update,
  );
  expect(again.stdout).toContain(`2 rows: ${counts({ unchanged: 2 })}`);
  await api.POST('/leads', { body: { firstName: 'Ada', lastName: 'Matched', email: 'ada.m@example.com' } });
  const several = await asLeads('matched-5.csv', `${header}${rows.split('\n')[0]}\n`, ...update);
  expect(several).toMatchObject({ code: 1, stdout: expect.stringContaining('does not identify one lead') });
});

test('values of a merchant that are probably wrong are warnings, and numbers that a spreadsheet shortened are errors', async () => {
  const header =
    'Merchant,banking.routingNumber,banking.accountNumber,principals.0.ssn,addresses.0.city,addresses.0.state\n';
  const { code, stdout } = await command.here(
    'merchants',
    input(
      'bank.csv',
      `${header}Warned Cafe,11000015,000123456789,078-05-1120,Oakland,Calif\nShortened Cafe,011000015,1.23457E+11,,Oakland,CA\n`,
    ),
  );
  expect(code).toBe(1);
  for (const warning of [
    'column "banking.routingNumber": is not a routing number: it must have 9 digits',
    'column "principals.0.ssn": is a published placeholder',
    'column "addresses.0.state": is not a two-letter USPS code',
  ])
    expect(stdout).toContain(`Warning: line 2, ${warning}`);
  expect(stdout).toContain('line 3, column "banking.accountNumber": "1.23457E+11" is a shortened number');
  expect(stdout).toContain(`2 rows: ${counts({ created: 1, rejected: 1 })}`);
});

test('--match updates merchants without removing entries of their lists', async () => {
  const header = 'Merchant,Status,principals.0.firstName,mids.0.mid,banking.bankName\n';
  await command.here('merchants', input('pizza.csv', `${header}Matched Pizza,Pending,Ada,881,First\n`));
  const { code, stdout } = await command.here(
    'merchants',
    input('pizza-2.csv', `${header}matched pizza,Active,Grace,882,Second\n`),
    '--match',
    'merchantName',
    '--on-match',
    'update',
  );
  const [merchant, another] = await found('/merchants', { search: 'Matched Pizza' });
  expect(another).toBeUndefined();
  expect([code, stdout]).toEqual([0, expect.stringContaining(`1 rows: ${counts({ updated: 1 })}`)]);
  expect(stdout).toContain(`merchant ${merchant?.id}, whose lists were not changed: principals, mids`);
  const path = { merchantId: String(merchant?.id) };
  const { data } = await api.GET('/merchants/{merchantId}', { params: { path } });
  expect(data).toMatchObject({
    status: 'active',
    principals: [{ firstName: 'Ada' }],
    banking: { bankName: 'Second' },
  });
});

test('--match finds records on all pages of a list', async () => {
  const rows = Array.from({ length: 130 }, (_, n) => `P${n},Paged,p${n}@example.com\n`).join('');
  await asLeads('pages-1.csv', `First,Last,Email\n${rows}`);
  const changed = `First,Last,Email\n${rows.replaceAll('Paged', 'Pages')}`;
  const { stdout } = await asLeads('pages-2.csv', changed, '--match', 'email', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ rows: 130, created: 0, unchanged: 130, rejected: 0 });
});

test('a wrong option of --match is refused before anything is imported', async () => {
  const lead = 'First,Last\nWrong,Option\n';
  for (const [options, message] of [
    [['--match', 'company'], '--match must be one or more of email,phone.'],
    [['--match', 'email'], 'No column is imported as email, which --match requires.'],
    [['--on-match', 'update'], '--on-match requires --match.'],
    [['--zone', 'EST'], '--zone must be an IANA time zone such as America/New_York.'],
  ] as const)
    expect(await asLeads('wrong.csv', lead, ...options)).toMatchObject({ code: 2, stderr: `${message}\n` });
  expect(await found('/leads', { search: 'Wrong' })).toEqual([]);
});

test('a dry run without a running service validates the rows, and says that it did not compare them', async () => {
  const { code, stdout } = await asLeads(
    'offline.csv',
    'First,Last,Email\nAda,Offline,ada.offline@example.com\nAda,Twice,ada.offline@example.com\n',
    '--dry-run',
    '--base-url',
    'http://127.0.0.1:9',
  );
  expect(code).toBe(0);
  expect(stdout).toContain('Warning: the file was not compared with the leads of the account: ');
  expect(stdout).toContain(
    'line 3, column "Email": is also the value of line 2, so the row may be a duplicate',
  );
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
  expect(stdout).toContain(`3 rows: ${counts({ created: 1, alreadyImported: 2 })}`);
  // Removes the stored responses. The row was sent on an earlier day, so the import cannot determine whether
  // the record exists.
  writeFileSync(state, readFileSync(state, 'utf8').replaceAll(/.*"id":.*\n/g, ''));
  const doubtful = await asLeads('repeated.csv', `First,Last\n${row}`);
  expect(doubtful).toMatchObject({ code: 1, stdout: expect.stringContaining('so the record may exist') });
  expect(await found('/leads', { search: 'Same' })).toHaveLength(2);
});

test('an import that is interrupted, killed and repeated creates every lead once', async () => {
  const names = Array.from({ length: importedLeads }, (_, n) => `K${n}`);
  await asLeads('none.csv', 'First,Last\nA,B\n');
  const file = input('killed.csv', `First,Last\n${names.map((name) => `${name},Killed`).join('\n')}\n`);
  const program = await inOneFile('infra/operations/main.ts');
  const state = `${file}.import-state.jsonl`;
  const linesWith = (text: string) =>
    (existsSync(state) ? readFileSync(state, 'utf8').split('\n') : []).filter((line) => line.includes(text));
  /** Starts the import, and sends it the signal when this many leads are imported. Returns how it ended. */
  const stoppedBy = async (signal: NodeJS.Signals, imported: number) => {
    const running = spawn(process.execPath, [program, 'records', 'import', 'leads', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    running.stderr.on('data', (text) => {
      stderr += text;
    });
    const ended = new Promise<object>((resolve) =>
      running.once('close', (code, by) => resolve({ code, by, stderr })),
    );
    while (linesWith('"id":').length < imported)
      await new Promise((resolve) => setTimeout(resolve, importedLeads / 12));
    running.kill(signal);
    const end = await ended;
    expect(linesWith('"id":').length).toBeLessThan(importedLeads);
    return end;
  };
  expect(await stoppedBy('SIGINT', importedLeads / 4)).toEqual({
    code: 1,
    by: null,
    stderr: 'Interrupted. Run the command again to continue.\n',
  });
  // The import waited for the responses to all rows that it had sent.
  expect(linesWith('"id":')).toHaveLength(linesWith('"sentAt":').length);
  expect(await stoppedBy('SIGKILL', importedLeads / 2)).toMatchObject({ by: 'SIGKILL' });
  expect(await command.asProcess('leads', file)).toMatchObject({ code: 0, stderr: '' });
  const readAll = async () => {
    const all: string[] = [];
    for (let page = 1; page <= Math.ceil((importedLeads + 1) / 100); page += 1) {
      const leads = await found('/leads', { page, search: 'Killed' });
      all.push(...leads.map(({ firstName }) => String(firstName)));
    }
    return all.sort();
  };
  // The search index receives the leads after the import.
  await expect.poll(readAll, { interval: 500 }).toEqual(names.sort());
  rmSync(state);
}, 1_200_000);

/** Sets the credentials of the administrator, with which the import signs in to another service. */
function signInAsAdministrator(): void {
  vi.stubEnv('API_EMAIL', local.adminEmail);
  vi.stubEnv('API_PASSWORD', local.adminPassword);
  vi.stubEnv('API_ACCOUNT', local.accountId);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test('a user’s import at another URL waits for the rate limit, and imports each row once', async () => {
  const arrivals: { key: string; at: number }[] = [];
  const [full, last] = [2, 5];
  const proxy = await startLoopbackServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const n = method === 'POST' && url === '/leads' ? arrivals.length : -1;
    if (n >= 0) arrivals.push({ key: String(headers['idempotency-key']), at: Date.now() });
    if (n === full) return void response.writeHead(429, { 'retry-after': '1' }).end('{}');
    const { connection: _, 'content-length': __, ...sent } = headers;
    const real = await fetch(`${local.baseUrl}${url}`, {
      method,
      headers: Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)]),
      body: Buffer.concat(chunks),
    });
    const limit = n === last ? { 'ratelimit-remaining': '5', 'ratelimit-reset': '2' } : {};
    response.writeHead(real.status, { 'content-type': 'application/json', ...limit }).end(await real.text());
  });
  onTestFinished(proxy.stop);
  signInAsAdministrator();
  const names = Array.from({ length: 30 }, (_, n) => `L${n}`);
  const rows = names.map((name) => `${name},Limited\n`).join('');
  const imported = await asLeads('limited.csv', `First,Last\n${rows}`, '--base-url', proxy.endpoint);
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('30 rows: 30 created') });
  // The search index receives the leads after the import.
  const firstNames = async () =>
    (await found('/leads', { search: 'Limited' })).map(({ firstName }) => firstName).sort();
  await expect.poll(firstNames).toEqual(names.sort());
  const refused = arrivals[full];
  const attempts = arrivals.filter(({ key }) => key === refused?.key).map(({ at }) => at);
  expect(attempts).toHaveLength(2);
  expect(Number(attempts[1]) - Number(attempts[0])).toBeGreaterThanOrEqual(990);
  const others = arrivals.filter(({ key }) => key !== refused?.key).map(({ at }) => at);
  expect(others).toHaveLength(29);
  // When the limit is almost reached, up to eight requests are in flight. All later requests wait two
  // seconds.
  const waits = others.map((at, n) => at - (others[n - 1] ?? at));
  expect(Math.max(...waits)).toBeGreaterThanOrEqual(1200);
});

test('--stage finds the service in the outputs of its stack', async () => {
  const asked = await startCloudFormation(local.baseUrl);
  signInAsAdministrator();
  vi.stubEnv('DATA_DIR', '/nonexistent/merchant-ops');
  const staged = await asLeads('staged.csv', 'First,Last\nAda,Staged\n', '--stage', 'prod');
  expect(staged).toMatchObject({ code: 0, stderr: '' });
  expect(asked.join()).toContain('StackName=merchant-ops-prod-edge');
  expect(await found('/leads', { search: 'Staged' })).toHaveLength(1);
  const both = ['--stage', 'prod', '--base-url', local.baseUrl];
  expect(await asLeads('staged.csv', 'First,Last\n', ...both)).toMatchObject({ code: 2 });
});

test('a row can contain the name of a team, lead source, user, merchant or ticket type', async () => {
  const create = async (path: `/${string}`, body: object) => (await api.POST(path, { body })).data as Found;
  const merchant = await create('/merchants', { merchantName: 'Named LLC', dba: 'Named Coffee' });
  const type = await create('/ticket-types', {
    name: 'Terminal fault',
    description: 'Broken',
    category: 'technical',
  });
  const team = await create('/teams', { name: 'North' });
  for (const name of ['Twice', 'twice']) await create('/teams', { name });
  const source = await create('/lead-sources', { name: 'Expo', teamId: team.id });
  const [administrator] = await found('/users', { email: local.adminEmail });
  const owner = String(administrator?.name ?? local.adminEmail);
  const leads = input(
    'named.csv',
    `First,Last,Team,leadSourceId,Owner\nAda,Named,north ,EXPO,${owner}\nB,C,Nowhere,,\nD,E,Twice,Fare,\n`,
  );
  const errors = [
    'line 3, column "Team": no team has the name "Nowhere"',
    'line 4, column "Team": several teams have the name "Twice", so use the id',
    'line 4, column "leadSourceId": no lead source has the name "Fare"',
  ];
  for (const options of [['--dry-run'], []])
    expect(await command.here('leads', leads, ...options)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${errors.join('\n')}\n3 rows`),
    });
  expect(await found('/leads', { search: 'Named' })).toMatchObject([
    { teamId: team.id, leadSourceId: source.id, assignedTo: String(administrator?.id) },
  ]);
  const tickets = input(
    'named-tickets.csv',
    `Subject,Body,requesterType,requesterId,Email,Type,Group,Merchant\nNamed,Dark,merchant,named coffee,a@example.com,terminal fault,North,Named LLC\n`,
  );
  expect(await command.here('tickets', tickets)).toMatchObject({ code: 0 });
  expect(await found('/tickets', { search: 'Named' })).toMatchObject([
    {
      requesterId: String(merchant.id),
      merchantId: merchant.id,
      ticketTypeId: type.uniqueId,
      assignedTeamId: team.id,
    },
  ]);
});

test('an account export is imported into another account, with the references between its records', async () => {
  const { accountId, baseUrl } = local;
  const merchants = 'Merchant,status,mids.0.mid,notes.0.content\nExported,closed,7777,Moved\n';
  await command.here('merchants', input('moved.csv', merchants));
  const options = 'table,field,value\nmerchant,moved,cafe\n';
  expect(await command.here('lookups', input('moved-options.csv', options))).toMatchObject({ code: 0 });
  const [merchant] = await found('/merchants', { search: 'Exported' });
  const email = 'moving@example.com';
  const { data: user } = await api.POST('/users', { body: { email, name: 'Mary Moving' } });
  const { data: type } = await api.POST('/ticket-types', {
    body: { name: 'Moving', description: 'Moves', category: 'technical' },
  });
  const columns = 'Subject,Body,requesterType,requesterId,requesterEmail,merchantId,assignedTo,ticketTypeId';
  const ids = [merchant?.id, (user as Found).id, (type as Found).uniqueId].join(',');
  const ticket = `${columns}\nMoved,Dark,merchant,${merchant?.id},a@example.com,${ids}\n`;
  expect(await command.here('tickets', input('moved-tickets.csv', ticket))).toMatchObject({ code: 0 });
  const file = join(folder, 'account.jsonl');
  expect(
    await operatorsCommand('accounts', 'export').here('--account', accountId, '--out', file),
  ).toMatchObject({
    code: 0,
  });
  // After the deletion, the target account can create a user with this email address.
  await api.DELETE('/users/{email}', { params: { path: { email } } });
  const created = await operatorsCommand('accounts', 'create').here(
    '--name',
    'Target',
    '--email',
    'target@example.com',
  );
  const { apiKey, apiSecret } = JSON.parse(created.stdout);
  process.env.API_KEY = apiKey;
  process.env.API_SECRET = apiSecret;
  const { stdout, stderr } = await command.here('account', file, '--base-url', baseUrl);
  expect(stderr).toBe('');
  expect(stdout).toContain('  event (');
  expect(stdout).toMatch(/^ {2}ticket\.ticketTypeId \(\d+ values\)$/m);
  // An API key is not an administrator, so the import cannot create lookups. It cannot create the administrator,
  // because the email address is taken.
  expect(stdout).toContain('Only an administrator of the account may do this.');
  const target = createClient({ baseUrl, apiKey, apiSecret });
  const [copy] = await found('/merchants', { search: 'Exported' }, target);
  expect(copy?.id).not.toBe(merchant?.id);
  const [member] = await found('/users', { email }, target);
  expect(await found('/tickets', { search: 'Moved' }, target)).toMatchObject([
    { merchantId: copy?.id, requesterId: String(copy?.id), assignedTo: String(member?.id) },
  ]);
  const again = await command.here('account', file, '--base-url', baseUrl, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ created: 0 });
  for (const name of ['API_KEY', 'API_SECRET']) delete process.env[name];
});
