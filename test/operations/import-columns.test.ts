import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildBody } from '../../infra/operations/import/build-body.ts';
import {
  type ColumnMap,
  columnMapIn,
  mapColumns,
  schemaAt,
  synonyms,
} from '../../infra/operations/import/map-columns.ts';
import { valuesIn } from '../../infra/operations/import/map-values.ts';
import { formatOf, readRows } from '../../infra/operations/import/read-rows.ts';
import { type ResourceName, resourceNames } from '../../infra/operations/import/resource-names.ts';
import { resourceNamed } from '../../infra/operations/import/resources.ts';
import { atEndOfAll, temporaryFolder } from '../harness/temporary-folder.ts';

const file = join(temporaryFolder(atEndOfAll()), 'rows.csv');

/** Converts all rows of a file. The bodies contain only the row's own fields, without defaults. */
async function built(name: ResourceName, text: string, given: ColumnMap = {}, values = '{}') {
  writeFileSync(file, text);
  const resource = resourceNamed(name);
  const format = await formatOf(file);
  const map = mapColumns(format.header, given, resource);
  const mapValue = valuesIn(values, new Set(format.header));
  const rules = { map, mapValue, resource, findName: async () => undefined };
  const rows: Awaited<ReturnType<typeof buildBody>>[] = [];
  for await (const row of readRows(file, format))
    rows.push(await buildBody(row, { ...rules, cells: { zone: async () => ({ value: 'UTC' }) } }));
  const bodies = rows.map(({ body, given }) =>
    Object.fromEntries(given.map((field) => [field, body[field]])),
  );
  return { map, rows, bodies };
}

test('an export of contacts from Outlook keeps job titles and phone numbers', async () => {
  const { map, bodies } = await built(
    'leads',
    'Title,First Name,Last Name,Company,Job Title,Mobile Phone,Business Phone,E-mail Address\n' +
      'Dr.,Ada,Byron,Acme,Owner,,415 555 0134,ada@example.com\n' +
      'Mrs.,Grace,Hopper,Navy,,415 555 0177,,grace@example.com\n',
  );
  expect(bodies).toEqual([
    {
      firstName: 'Ada',
      lastName: 'Byron',
      company: 'Acme',
      jobTitle: 'Owner',
      phone: '415 555 0134',
      email: 'ada@example.com',
    },
    {
      firstName: 'Grace',
      lastName: 'Hopper',
      company: 'Navy',
      phone: '415 555 0177',
      email: 'grace@example.com',
    },
  ]);
  expect(map.Title).toBeNull();
});

test('an export of leads from Salesforce is recognized, and its title is a job title', async () => {
  const { bodies } = await built(
    'leads',
    'First Name,Last Name,Title,Company / Account,Email,Phone,Mobile\nAda,Byron,CFO,Acme,a@example.com,,415 555 0134\n',
  );
  expect(bodies).toEqual([
    {
      firstName: 'Ada',
      lastName: 'Byron',
      jobTitle: 'CFO',
      company: 'Acme',
      email: 'a@example.com',
      phone: '415 555 0134',
    },
  ]);
});

test('exports of Google Contacts are recognized', async () => {
  const contact = {
    firstName: 'Ada',
    lastName: 'Byron',
    company: 'Acme',
    jobTitle: 'CFO',
    email: 'a@example.com',
    phone: '415 555 0134',
  };
  for (const header of [
    'First Name,Last Name,Organization Name,Organization Title,E-mail 1 - Value,Phone 1 - Value',
    'Given Name,Family Name,Organization 1 - Name,Organization 1 - Title,E-mail 1 - Value,Phone 1 - Value',
  ]) {
    const { bodies } = await built('leads', `${header}\n${Object.values(contact).join(',')}\n`);
    expect(bodies).toEqual([contact]);
  }
});

test('accounts of Salesforce and contacts of Outlook are merchants with an address', async () => {
  for (const header of [
    'Account Name,Billing Street,Billing City,Billing State/Province,Billing Zip/Postal Code,Billing Country',
    'Company,Business Street,Business City,Business State,Business Postal Code,Business Country/Region',
  ]) {
    const { bodies } = await built('merchants', `${header}\nAcme,1 Harbor Street,Oakland,CA,94601,US\n`);
    expect(bodies).toEqual([
      {
        merchantName: 'Acme',
        addresses: [
          { street1: '1 Harbor Street', city: 'Oakland', state: 'CA', postalCode: '94601', country: 'US' },
        ],
      },
    ]);
  }
});

test.each<[ResourceName, string, string]>([
  ['tickets', 'Title', 'Subject'],
  ['merchants', 'Name', 'Merchant Name'],
  ['leads', 'First', 'firstName'],
])('in %s, the column %s has the field only in rows without %s', async (name, synonym, exact) => {
  for (const header of [`${synonym},${exact}`, `${exact},${synonym}`]) {
    const cells = (row: Record<string, string>) => header.split(',').map((column) => row[column] ?? '');
    const rows = [{ [synonym]: 'S', [exact]: 'E' }, { [synonym]: 'S' }, { [exact]: 'E' }];
    const text = [header, ...rows.map((row) => cells(row).join(','))].join('\n');
    const { map, rows: read, bodies } = await built(name, text);
    expect(bodies.map((body) => Object.values(body))).toEqual([['E'], ['S'], ['E']]);
    expect(Object.keys(map)).toEqual([exact, synonym]);
    expect(read.map(({ ignored }) => ignored)).toEqual([[{ column: synonym, precedence: exact }], [], []]);
  }
});

test('every field that has other names for its column can be imported', () => {
  const resources = resourceNames.map((name) => resourceNamed(name).fields);
  const unknown = Object.keys(synonyms).filter(
    (field) => !resources.some((fields) => schemaAt(fields, field.split('.'))),
  );
  expect(unknown).toEqual([]);
});

test('a value in an object with arbitrary keys can be imported, but nothing inside that value', async () => {
  const header = 'Subject,Description,metaData.shop,metaData.shop.street';
  const { map, bodies } = await built('tickets', `${header}\nOne,Two,harbor,first\n`);
  expect(Object.values(map)).toEqual(['subject', 'description', 'metaData.shop', null]);
  expect(bodies).toEqual([{ subject: 'One', description: 'Two', metaData: { shop: 'harbor' } }]);
});

test('a column with the same value as the column with precedence is not reported', async () => {
  const { rows } = await built('leads', 'Phone,Mobile\n415 555 0134, 415 555 0134 \n');
  expect(rows.map(({ ignored }) => ignored)).toEqual([[]]);
});

test('an error names the column of the row’s value', async () => {
  const { rows } = await built('leads', 'First,Last,Employees,Staff\nAda,Byron,,x\nAda,Byron,y,\n', {
    Staff: 'numberOfEmployees',
    Employees: 'numberOfEmployees',
  });
  expect(rows.map(({ errors }) => errors.map(({ line, column }) => [line, column]))).toEqual([
    [[2, 'Staff']],
    [[3, 'Employees']],
  ]);
});

test('the order of a given map is the precedence of columns with the same field, and replaces suggestions', async () => {
  const given = columnMapIn('{"Cell":"phone","Desk":"phone"}', resourceNamed('leads'));
  const { map, bodies } = await built(
    'leads',
    'Desk,Phone,Cell\n1111111,2222222,3333333\n1111111,2222222,\n',
    given,
  );
  expect(Object.entries(map)).toEqual([
    ['Cell', 'phone'],
    ['Desk', 'phone'],
    ['Phone', null],
  ]);
  expect(bodies).toEqual([{ phone: '3333333' }, { phone: '1111111' }]);
});

test('the suggested map is read as it was written', async () => {
  const { map } = await built('leads', 'Mobile,Title,Phone,Junk,First\n');
  const again = columnMapIn(JSON.stringify(map), resourceNamed('leads'));
  const columns = ['Mobile', 'Title', 'Phone', 'Junk', 'First'];
  expect(Object.entries(mapColumns(columns, again, resourceNamed('leads')))).toEqual(Object.entries(map));
});

test('values are replaced regardless of case, and can be read as empty, numbers or booleans', async () => {
  const { bodies } = await built(
    'leads',
    'Last,Source,Employees,interestedInSwitching\nByron, WEB ,few,Maybe\nHopper,Fair,9,no\n',
    {},
    '{"Source":{"Web":null},"Employees":{"few":5},"interestedInSwitching":{"maybe":true}}',
  );
  expect(bodies).toEqual([
    { lastName: 'Byron', numberOfEmployees: 5, interestedInSwitching: true },
    { lastName: 'Hopper', source: 'Fair', numberOfEmployees: 9, interestedInSwitching: false },
  ]);
});

test.each([
  ['{', 'The file of values is not valid JSON.'],
  ['[]', 'The file of values must be an object with an object for each column.'],
  ['{"State":{}}', 'The file of values names "State", which is not a column.'],
  [
    '{"Last":{"a":{}}}',
    'The values of "Last" must be an object with a text, number, boolean or null for each value.',
  ],
])('the file of values %s is refused', (text, message) => {
  expect(() => valuesIn(text, new Set(['Last']))).toThrow(message);
});
