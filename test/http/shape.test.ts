import { PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import { shapeOf } from '../../infra/build/derived.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { shaped } from '../../shared/endpoints/shape.ts';
import {
  array,
  boolean,
  credential,
  integer,
  mapOf,
  nullable,
  object,
  oneOf,
  openObject,
  optional,
  sensitive,
  string,
  type TSchema,
  unsafe,
} from '../../shared/schema.ts';
import { REDACTED } from '../../shared/security/merge-fields.ts';
import { tableName } from '../../shared/table/client.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { getItem } from '../../shared/table/read.ts';
import { documents } from '../harness/documents.ts';
import { tenant } from '../harness/tenant.ts';

const written = (value: unknown, schema: TSchema): string => JSON.stringify(shaped(value, shapeOf(schema)));

describe('a written response', () => {
  const Inner = object({ z: string(), a: optional(integer()) });
  const Whole = object({
    id: integer(),
    name: nullable(string()),
    kind: oneOf(['x', 'y']),
    inner: Inner,
    many: array(Inner),
    either: unsafe<string | number>({ type: ['integer', 'string'] }),
    data: openObject(),
    byName: mapOf(mapOf(array(string()))),
    maybe: nullable(Inner),
  });
  const value = {
    id: 1,
    name: null,
    kind: 'x',
    inner: { z: 'z', a: 0 },
    many: [{ z: '', a: 1 }, { z: 'z' }],
    either: 7,
    data: { a: [{ b: 1, c: null }], d: false },
    byName: { default: { lead_created: ['email'] }, other: {} },
    maybe: null,
  };

  test('fields of a response are in the order of its schema, and entries of maps are sorted by name', () => {
    const shuffled = (given: unknown, order: number[]): unknown => {
      if (Array.isArray(given)) return given.map((item) => shuffled(item, order));
      if (typeof given !== 'object' || given === null) return given;
      const fields = Object.entries(given).map(([name, inner]) => [name, shuffled(inner, order)] as const);
      const ranked = fields.map((field, index) => ({ field, rank: order[index % order.length] ?? 0 }));
      return Object.fromEntries(ranked.sort((one, other) => one.rank - other.rank).map(({ field }) => field));
    };
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 9 }), (order) => {
        expect(written(shuffled(value, order), Whole)).toBe(JSON.stringify(value));
      }),
    );
  });

  test('a response contains only the fields of its schema, at any depth', () => {
    const secret = { passwordHash: 'secret' };
    const more = {
      ...secret,
      ...value,
      inner: { ...secret, ...value.inner },
      many: value.many.map((item) => ({ ...item, ...secret })),
      name: secret,
      maybe: [secret],
    };
    const { name, maybe, ...rest } = value;
    expect(written(more, Whole)).toBe(JSON.stringify(rest));
    expect(written([secret, { z: 'z', ...secret }], array(Inner))).toBe('[{},{"z":"z"}]');
  });

  test('REDACTED replaces all values of the given kinds and no other values, at any depth', () => {
    const Secrets = object({ ssn: nullable(sensitive()), token: optional(credential()), name: string() });
    const shape = shapeOf(
      object({ own: Secrets, rows: array(Secrets), byId: mapOf(array(Secrets)), texts: array(sensitive()) }),
    );
    const one = { ssn: '541-38-9021', token: 'mo_sk_7', name: 'Ada' };
    const given = { own: one, rows: [one, { ssn: null, name: 'Bea' }], byId: { 7: [one] }, texts: ['a', ''] };
    const all = { ssn: REDACTED, token: REDACTED, name: 'Ada' };
    expect(shaped(given, shape, ['sensitive', 'credential'])).toEqual({
      own: all,
      rows: [all, { ssn: null, name: 'Bea' }],
      byId: { 7: [all] },
      texts: [REDACTED, REDACTED],
    });
    const some = { ...one, ssn: REDACTED };
    expect(shaped({ own: one, rows: [one] }, shape, ['sensitive'])).toEqual({ own: some, rows: [some] });
    expect(shaped(given, shape)).toEqual(given);
  });

  test('if a response has alternative schemas, it may contain the fields of all of them', () => {
    const Other = object({ other: integer() });
    const either = unsafe({ anyOf: [Inner, Other, { type: 'null' }] });
    expect(written({ other: 1, z: 'z', more: 1 }, either)).toBe('{"z":"z","other":1}');
    expect(written(null, either)).toBe('null');
    const union = unsafe({
      oneOf: [object({ kind: string(), in: Inner }), object({ in: Other, b: boolean() })],
    });
    expect(written({ b: true, in: { other: 1, z: 'z', more: 1 }, kind: 'x' }, union)).toBe(
      '{"kind":"x","in":{"z":"z","other":1},"b":true}',
    );
    expect(() => shapeOf(unsafe({ anyOf: [Inner, array(Inner)] }))).toThrow('an object and an array');
    expect(() => shapeOf(unsafe({}))).toThrow('needs a type');
  });

  test('every response schema can be converted to a shape, in which `id` is the first field if it exists', async () => {
    for (const { name, endpoint } of await loadEndpoints()) {
      const shape = shapeOf(endpoint.contract.response);
      const fields = typeof shape === 'object' && 'fields' in shape ? Object.keys(shape.fields) : [];
      if (fields.includes('id')) expect(fields[0], name).toBe('id');
    }
  });
});

test('an attribute outside of the schema is never returned, and the order of fields is always the same', async () => {
  const acme = await tenant();
  const { id } = await acme.admin.ok(createLead, {
    body: { notes: 'n', lastName: 'Byron', company: 'Engines', firstName: 'Ada', branch: 'b' },
  });
  const params = { leadId: id };
  const key = recordKey(acme.accountId, 'LEAD', id);
  const Item = { ...(await getItem(key)), margin: 'canary', nested: { canary: true } };
  await documents.send(new PutCommand({ TableName: tableName(), Item }));
  const texts = new Set<string>();
  for (let n = 0; n < 10; n++) {
    const { auditLog, ...lead } = await acme.admin.ok(readLead, { params });
    const { data } = await acme.admin.ok(listLeads, { query: n % 2 ? { archived: false } : {} });
    texts.add(JSON.stringify(lead)).add(JSON.stringify(data[0]));
  }
  expect(texts.size).toBe(1);
  const [text = ''] = texts;
  expect(text).toMatch(/^\{"id":\d+,"accountId":/);
  expect(text).not.toContain('canary');
  const changed = await acme.admin.ok(updateLead, { params, body: { company: 'Looms' } });
  expect(JSON.stringify(changed)).not.toContain('canary');
  expect(await getItem(key)).toMatchObject({ margin: 'canary', company: 'Looms' });
});
