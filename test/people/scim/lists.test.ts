import { beforeAll, expect, test } from 'vitest';
import createScimUser from '../../../functions/scim/create-scim-user.ts';
import listScimUsers from '../../../functions/scim/list-scim-users.ts';
import readScimDocument from '../../../functions/scim/read-scim-document.ts';
import readScimDocumentPart from '../../../functions/scim/read-scim-document-part.ts';
import readScimUser from '../../../functions/scim/read-scim-user.ts';
import { type Client, tenant } from '../../harness/tenant.ts';
import { provider } from './provider.ts';

let scim: Client;
beforeAll(async () => {
  scim = await provider(await tenant());
  for (let n = 0; n < 5; n++)
    await scim.ok(createScimUser, {
      body: {
        userName: `list${n}@lists.test`,
        externalId: `ext-${n}`,
        displayName: n % 2 ? 'Odd' : 'Even',
        active: n < 3,
        emails: [{ value: `list${n}@work.test`, type: 'work' }],
      },
    });
});

const find = (query: object) => scim.ok(listScimUsers, { query });
const namesIn = async (filter: string) =>
  (await find({ filter })).Resources.map(({ userName = '' }) => userName.slice(4, 5)).join('');

test.each([
  ['userName eq "LIST1@lists.test"', '1'],
  ['userName eq "list1@lists.test" and active eq true', '1'],
  ['userName eq "list4@lists.test" and active eq true', ''],
  ['userName eq "nobody@lists.test"', ''],
  ['userName eq "list1@lists.test" or externalId eq "ext-3"', '13'],
  ['externalId eq "ext-2"', '2'],
  ['externalId eq "EXT-2"', ''],
  ['emails[type eq "work"].value eq "list3@work.test"', '3'],
  ['emails[type eq "home"].value eq "list3@work.test"', ''],
  ['emails[type eq "work"].value pr and externalId eq "ext-1"', '1'],
  ['emails[type eq "work" and value eq "list3@work.test"]', '3'],
  ['emails.value sw "list4"', '4'],
  ['displayName eq "odd"', '13'],
  ['userName ew "@lists.test" and not (active eq true)', '34'],
  ['active eq "False" and userName co "list"', '34'],
])('the filter %s finds %s', async (filter, expected) => {
  expect(await namesIn(filter)).toBe(expected);
});

test('pages are disjoint and complete', async () => {
  const all = await find({});
  expect(all.totalResults).toBe(6);
  expect(all.itemsPerPage).toBe(6);
  const pages = await Promise.all([1, 3, 5].map((startIndex) => find({ startIndex, count: 2 })));
  expect(pages.flatMap(({ Resources }) => Resources)).toEqual(all.Resources);
  expect(await find({ startIndex: 0, count: 1 })).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
  expect(await find({ count: 0 })).toMatchObject({ totalResults: 6, itemsPerPage: 0, Resources: [] });
  expect(await find({ count: -1 })).toMatchObject({ totalResults: 6, Resources: [] });
  expect(await find({ startIndex: 100 })).toMatchObject({ totalResults: 6, startIndex: 100, Resources: [] });
});

test('the query selects attributes', async () => {
  const [first] = (await find({ filter: 'externalId eq "ext-0"' })).Resources;
  const params = { id: first?.id ?? '' };
  const named = (query: object) => scim.ok(readScimUser, { params, query });
  expect(Object.keys(await named({ attributes: 'userName' }))).toEqual(['id', 'schemas', 'userName']);
  expect(await named({ attributes: 'emails.value,active' })).toMatchObject({
    active: true,
    emails: [{ value: 'list0@work.test' }],
  });
  expect(await named({ excludedAttributes: 'emails, meta' })).not.toHaveProperty('emails');
  expect(await named({ excludedAttributes: 'id' })).toHaveProperty('id');
});

test('the server describes itself', async () => {
  const document = (name: 'Schemas' | 'ResourceTypes' | 'ServiceProviderConfig') =>
    scim.ok(readScimDocument, { params: { document: name } });
  expect(await document('ServiceProviderConfig')).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    etag: { supported: true },
  });
  for (const name of ['Schemas', 'ResourceTypes'] as const) {
    const { Resources } = (await document(name)) as { Resources: { id: string }[] };
    expect(Resources).toHaveLength(2);
    for (const one of Resources)
      expect(await scim.ok(readScimDocumentPart, { params: { document: name, id: one.id } })).toEqual(one);
  }
  const params = { document: 'Schemas' as const, id: 'urn:unknown' };
  expect((await scim.call(readScimDocumentPart, { params })).status).toBe(404);
});
