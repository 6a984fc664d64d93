import { PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createLookupOption from '../../functions/lookups/create-lookup-option.ts';
import deleteLookupOption from '../../functions/lookups/delete-lookup-option.ts';
import listLookupOptions from '../../functions/lookups/list-lookup-options.ts';
import updateLookupOption from '../../functions/lookups/update-lookup-option.ts';
import { checkParent, isSelectable, maxAncestors } from '../../shared/sales/lookups/rules.ts';
import { lookups } from '../../shared/sales/lookups/store.ts';
import { tableName } from '../../shared/table/client.ts';
import { quotaKey } from '../../shared/table/keys.ts';
import { clock } from '../harness/clock.ts';
import { documents } from '../harness/documents.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { tenant } from '../harness/tenant.ts';
import { kindsOf } from './event-kinds.ts';

const acme = await tenant();
const other = await tenant();
const at = { table: 'merchant', field: 'category' };

const add = (body: object = {}, params = at) =>
  acme.admin.call(createLookupOption, { params, body: { value: 'x', ...body } });
/** Adds an option. Each test that lists options uses its own table and field, so that it lists only its own options. */
async function added(body: object, params = at) {
  const { status, body: made } = await add(body, params);
  expect(status).toBe(201);
  return made.lookupValue;
}
const changed = (id: number, body: object, params = at) =>
  acme.admin.call(updateLookupOption, { params: { ...params, id }, body });
const valuesOf = async (params: typeof at, query: object = {}) =>
  (await acme.key.ok(listLookupOptions, { params, query })).data.map(({ value }) => value);

describe('a lookup option', () => {
  test('a lookup option is added, listed, changed and deleted, and each change returns the option with a message', async () => {
    const before = await kindsOf(acme);
    const fields = {
      value: 'restaurant',
      text: 'Restaurant',
      displayOrder: 3,
      metadata: { mcc: '5814', nested: { list: [1, null, 'x'] } },
      custom_sort_index: 1,
      group_name: 'Food',
      locale: 'en-US',
      description: 'Eating places',
    };
    const params = { table: 'lifecycle', field: 'f' };
    const created = await add({ ...fields, expires_at: '2099-01-01T01:00:00+01:00' }, params);
    expect([created.status, created.headers.etag]).toEqual([201, '"1"']);
    expect(created.body).toMatchObject({
      message: expect.any(String),
      lookupValue: { ...fields, is_active: true, expires_at: '2099-01-01T00:00:00.000Z', version: 1 },
    });
    const { id } = created.body.lookupValue;
    const listed = await acme.key.ok(listLookupOptions, { params });
    expect(listed).toEqual({
      data: [created.body.lookupValue],
      totalCount: 1,
      totalPages: 1,
      currentPage: 1,
    });
    const put = await changed(
      id,
      { text: 'Diner', metadata: { a: 1 }, locale: null, expires_at: null },
      params,
    );
    expect([put.status, put.headers.etag]).toEqual([200, '"2"']);
    const { lookupValue } = put.body;
    expect(lookupValue).toMatchObject({ value: 'restaurant', text: 'Diner', metadata: { a: 1 }, version: 2 });
    expect(lookupValue).not.toHaveProperty('locale');
    expect(lookupValue).not.toHaveProperty('expires_at');
    const gone = await acme.admin.ok(deleteLookupOption, { params: { ...params, id } });
    expect(gone).toEqual({ message: expect.any(String), lookupValue });
    expect(await acme.key.ok(listLookupOptions, { params })).toMatchObject({ data: [], totalCount: 0 });
    expect((await changed(id, { text: 'x' }, params)).status).toBe(404);
    // There are no events for lookups.
    expect(await kindsOf(acme)).toEqual(before);
  });

  test('a lookup option accepts null only for optional fields', async () => {
    const option = await added({ text: 'x', displayOrder: 1 });
    for (const field of ['text', 'value', 'displayOrder', 'is_active'])
      expect((await changed(option.id, { [field]: null })).body.details, field).toMatchObject([{ field }]);
    const cleared = [
      'parent_id',
      'custom_sort_index',
      'group_name',
      'locale',
      'description',
      'metadata',
      'expires_at',
    ];
    const { status, body } = await changed(
      option.id,
      Object.fromEntries(cleared.map((name) => [name, null])),
    );
    // All these fields were empty, so nothing changed.
    expect([status, body.lookupValue.version]).toEqual([200, 1]);
  });

  test('a lookup option is found only under its own table and field', async () => {
    const { id } = await added({});
    const answers = await Promise.all(
      [
        { ...at, table: 'lead', id },
        { ...at, field: 'Category', id },
        { ...at, id: 1 },
        { ...at, field: 'no such name!', id },
        { ...at, table: 'x'.repeat(65), id },
      ].flatMap((params) => [
        acme.admin.call(updateLookupOption, { params, body: { text: 'x' } }),
        acme.admin.call(deleteLookupOption, { params }),
      ]),
    );
    const [known, , , , unknown, ...invalid] = answers.map(({ status, body }) => `${status} ${body.message}`);
    expect(known).toBe(`404 No lookup option ${id} in this account.`);
    expect(unknown).toBe('404 No lookup option 1 in this account.');
    for (const one of invalid) expect(one).toMatch(/^404 /);
    expect((await add({}, { ...at, table: 'a b' })).status).toBe(404);
  });

  test('a lookup option of another account cannot be listed or changed, even if both accounts use the same table and field', async () => {
    const params = { table: 'mine', field: 'f' };
    const { id } = await added({ value: 'theirs' }, params);
    expect((await other.admin.ok(listLookupOptions, { params, query: { all: true } })).data).toEqual([]);
    expect(
      (await other.admin.call(updateLookupOption, { params: { ...params, id }, body: { text: 'x' } })).status,
    ).toBe(404);
    const { lookupValue } = await other.admin.ok(createLookupOption, { params, body: { value: 'own' } });
    expect(lookupValue.value).toBe('own');
    expect(await valuesOf(params)).toEqual(['theirs']);
  });

  test('an outdated If-Match for a lookup option is rejected, even if the request would change nothing', async () => {
    const { id } = await added({ text: 'Same' });
    const put = (etag: string, text: string) =>
      acme.admin.call(updateLookupOption, {
        params: { ...at, id },
        body: { text },
        headers: { 'if-match': etag },
      });
    expect((await put('"7"', 'Same')).status).toBe(412);
    expect((await put('"7"', 'New')).status).toBe(412);
    const same = await put('"1"', 'Same');
    expect([same.status, same.headers.etag]).toEqual([200, '"1"']);
    expect((await put('"1"', 'New')).status).toBe(200);
    const stale = { params: { ...at, id }, headers: { 'if-match': '"1"' } };
    expect((await acme.admin.call(deleteLookupOption, stale)).status).toBe(412);
  });

  test('a lookup option rejects metadata above 32 KB or with an empty field name', async () => {
    const ofBytes = (bytes: number) => ({ text: 'я'.repeat((bytes - 11) / 2) });
    expect(Buffer.byteLength(JSON.stringify(ofBytes(32 * 1024 - 1)))).toBe(32 * 1024 - 1);
    expect((await added({ metadata: ofBytes(32 * 1024 - 1) })).metadata).toEqual(ofBytes(32 * 1024 - 1));
    const { id } = await added({});
    const { status, body } = await changed(id, { metadata: ofBytes(32 * 1024 + 1) });
    expect([status, body.details]).toEqual([
      400,
      [{ field: 'metadata', message: 'must have at most 32768 bytes as JSON' }],
    ]);
    expect((await changed(id, { metadata: { deep: { '': 1 } } })).status).toBe(400);
  });
});

describe('the options of a field', () => {
  test('the options of a field are ordered by custom_sort_index, displayOrder, text and id on all pages, with missing values last', async () => {
    const params = { table: 'ordered', field: 'f' };
    const options = [
      { value: 'h' },
      { value: 'g', text: 'b' },
      { value: 'f', text: 'A' },
      { value: 'e', displayOrder: 2 },
      { value: 'd', displayOrder: 1, text: 'z' },
      { value: 'c', displayOrder: 1, text: 'y' },
      { value: 'b', custom_sort_index: 10 },
      { value: 'a', custom_sort_index: 9, displayOrder: 99 },
      { value: 'h2' },
    ];
    for (const body of options) await added(body, params);
    expect(await valuesOf(params)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'h2']);
    const page = await acme.key.ok(listLookupOptions, { params, query: { page: 2, pageSize: 4 } });
    expect(page).toMatchObject({ totalCount: 9, totalPages: 3, currentPage: 2 });
    expect(page.data.map(({ value }) => value)).toEqual(['e', 'f', 'g', 'h']);
    expect((await valuesOf(params, { sort: '-value' }))[0]).toBe('h2');
  });

  test('inactive or expired options of a field are listed only with all=true', async () => {
    const params = { table: 'hidden', field: 'f' };
    await added({ value: 'shown' }, params);
    await added({ value: 'off', is_active: false }, params);
    const soon = new Date(clock.now().getTime() + 60_000).toISOString();
    await added({ value: 'expiring', expires_at: soon }, params);
    expect(await valuesOf(params, { sort: 'value' })).toEqual(['expiring', 'shown']);
    clock.advance(60_000);
    expect(await valuesOf(params)).toEqual(['shown']);
    expect(await valuesOf(params, { all: false })).toEqual(['shown']);
    expect(await valuesOf(params, { all: true, sort: 'value' })).toEqual(['expiring', 'off', 'shown']);
  });

  test('a date as expires_at means the end of that day in the account’s time zone', async () => {
    const owner = await tenant();
    const timezone = 'America/New_York';
    await owner.admin.ok(updateAccount, { params: { id: owner.accountId }, body: { timezone } });
    const body = { value: 'x', expires_at: '2026-12-31' };
    const { lookupValue: option } = await owner.admin.ok(createLookupOption, { params: at, body });
    expect(option.expires_at).toBe('2027-01-01T04:59:59.999Z');
    const moved = await owner.admin.ok(updateLookupOption, {
      params: { ...at, id: option.id },
      body: { expires_at: '2026-07-31' },
    });
    expect(moved.lookupValue.expires_at).toBe('2026-08-01T03:59:59.999Z');
  });

  test('an option expires exactly at its expires_at', () => {
    const option = { is_active: true, expires_at: '2026-03-01T09:30:00.000Z' };
    expect(isSelectable(option, new Date('2026-03-01T09:29:59.999Z'))).toBe(true);
    expect(isSelectable(option, new Date('2026-03-01T09:30:00.000Z'))).toBe(false);
  });

  test('the options of a field can be searched, and filtered by locale, group and parent', async () => {
    const params = { table: 'filtered', field: 'f' };
    const parent = await added({ value: 'parent', text: 'Everything' }, params);
    await added({ value: 'de', locale: 'de', group_name: 'g', parent_id: parent.id }, params);
    await added({ value: 'en', locale: 'en', group_name: 'g' }, params);
    expect(await valuesOf(params, { locale: 'de' })).toEqual(['de']);
    expect(await valuesOf(params, { locale: ['de', 'en'], sort: 'value' })).toEqual(['de', 'en']);
    expect(await valuesOf(params, { group_name: 'g', locale: 'en' })).toEqual(['en']);
    expect(await valuesOf(params, { parent_id: parent.id })).toEqual(['de']);
    expect(await valuesOf(params, { search: 'every' })).toEqual(['parent']);
    const wrong = await acme.key.call(listLookupOptions, { params, query: { metadata: 'x' } });
    expect(wrong.status).toBe(400);
  });

  test('a field has at most 1,000 options, and deleted options do not count', async () => {
    const params = { table: 'full', field: 'f' };
    const { id } = await added({}, params);
    const count = quotaKey(acme.accountId, 'LOOKUP', ['full', 'f']);
    await documents.send(new PutCommand({ TableName: tableName(), Item: { ...count, count: 1000 } }));
    const refused = await add({}, params);
    expect([refused.status, refused.body.error]).toEqual([400, 'quota_exceeded']);
    // Each field has its own quota.
    await added({}, { table: 'full', field: 'g' });
    await acme.admin.ok(deleteLookupOption, { params: { ...params, id } });
    await added({}, params);
  });
});

describe('the parent of an option', () => {
  const faultOf = async (id: number, parent_id: number) => {
    const { status, body } = await changed(id, { parent_id });
    return status === 200 ? status : `${status} ${body.details?.[0]?.field}: ${body.details?.[0]?.message}`;
  };

  test('the parent of an option can belong to any table and field of the account, but not of another account', async () => {
    const parent = await added({}, { table: 'elsewhere', field: 'g' });
    const child = await added({ parent_id: parent.id });
    expect(child.parent_id).toBe(parent.id);
    const { lookupValue: theirs } = await other.admin.ok(createLookupOption, {
      params: at,
      body: { value: 'x' },
    });
    const unknown = '400 parent_id: is not the id of a lookup option in this account';
    for (const id of [theirs.id, 1]) {
      expect(await faultOf(child.id, id)).toBe(unknown);
      expect((await add({ parent_id: id })).status).toBe(400);
    }
    expect((await changed(child.id, { parent_id: null })).body.lookupValue).not.toHaveProperty('parent_id');
  });

  test('an option keeps the id of its parent after the parent is deleted, but no other option can get this parent', async () => {
    const top = await added({});
    const middle = await added({ parent_id: top.id });
    await acme.admin.ok(deleteLookupOption, { params: { ...at, id: top.id } });
    const { body } = await changed(middle.id, { parent_id: top.id, text: 'As it was' });
    expect(body.lookupValue).toMatchObject({ parent_id: top.id, text: 'As it was' });
    const below = await added({ parent_id: middle.id });
    expect(await faultOf(below.id, top.id)).toMatch(/^400 parent_id: is not the id/);
  });

  test('the parent of an option cannot be the option itself or an option below it', async () => {
    const a = await added({});
    const b = await added({ parent_id: a.id });
    const c = await added({ parent_id: b.id });
    const below = '400 parent_id: must not be the option itself or an option below it';
    for (const { id } of [a, b, c]) expect(await faultOf(a.id, id)).toBe(below);
    expect(await faultOf(c.id, a.id)).toBe(200);
  });

  test('an option has at most 20 ancestors, including its parent', async () => {
    let parent_id = (await added({})).id;
    for (let n = 1; n < maxAncestors; n++) parent_id = (await added({ parent_id })).id;
    const last = await added({ parent_id });
    const { status, body } = await add({ parent_id: last.id });
    expect([status, body.details?.[0]?.message]).toEqual([400, expect.stringContaining('more than 20')]);
  });

  test('two concurrent changes of parents cannot form a cycle: one change is rejected', async () => {
    const [a, b, between] = [await added({}), await added({}), await added({})];
    await changed(between.id, { parent_id: b.id });
    beforeNextTransaction(() => changed(b.id, { parent_id: a.id }));
    expect(await faultOf(a.id, between.id)).toBe(
      '400 parent_id: must not be the option itself or an option below it',
    );
    expect((await lookups.get(acme.accountId, a.id)).parent_id).toBeUndefined();
  });

  test('an option cannot be created if its parent is deleted at the same time', async () => {
    const parent = await added({});
    const remove = () => acme.admin.ok(deleteLookupOption, { params: { ...at, id: parent.id } });
    beforeNextTransaction(remove);
    const { status, body } = await acme.admin.call(createLookupOption, {
      params: at,
      body: { value: 'x', parent_id: parent.id },
      headers: { 'if-match': '"1"' },
    });
    expect([status, body.details?.[0]?.field]).toEqual([400, 'parent_id']);
  });

  test('no sequence of changes makes the parents of options form a cycle', () => {
    const size = 6;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1))), (moves) => {
        const parents = new Map<number, number>();
        const ancestorsFrom = (id: number, below: number): { parent_id?: number }[] => {
          if (id === below) return [];
          const parent_id = parents.get(id);
          return [{ parent_id }, ...(parent_id === undefined ? [] : ancestorsFrom(parent_id, below))];
        };
        const isAbove = (id: number, one: number | undefined): boolean =>
          one !== undefined && (one === id || isAbove(id, parents.get(one)));
        for (const [self, parent] of moves) {
          let accepted = true;
          try {
            checkParent(parent, ancestorsFrom(parent, self), self);
          } catch {
            accepted = false;
          }
          expect(accepted).toBe(!isAbove(self, parent));
          if (accepted) parents.set(self, parent);
        }
      }),
    );
  });
});

test('decimals of at most 15 digits are stored exactly', async () => {
  const decimal = fc
    .tuple(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), fc.nat(6))
    .map(([digits, places]) => {
      const [sign, all] = [digits < 0 ? '-' : '', String(Math.abs(digits)).padStart(places + 1, '0')];
      const whole = all.slice(0, all.length - places);
      return `${sign}${whole}${places > 0 ? `.${all.slice(all.length - places)}` : ''}`;
    });
  const params = { table: 'decimals', field: 'f' };
  const { id } = await added({}, params);
  await fc.assert(
    fc.asyncProperty(fc.array(decimal, { minLength: 50, maxLength: 200 }), async (decimals) => {
      const rawBody = `{"metadata":{"all":[${decimals.join()}]}}`;
      await acme.admin.ok(updateLookupOption, { params: { ...params, id }, rawBody });
      const { data } = await acme.key.ok(listLookupOptions, { params });
      expect(data[0]?.metadata).toEqual({ all: decimals.map((text) => Number(text) + 0) });
    }),
    { numRuns: 10 },
  );
});
