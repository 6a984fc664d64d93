import { describe, expect, test } from 'vitest';
import { sentBackOf } from '../../infra/build/derived.ts';
import type { Contract } from '../../shared/endpoints/contract.ts';
import { fieldsThatDiffer, makeReadOnly, splitBody } from '../../shared/endpoints/read-only-fields.ts';
import { array, integer, object, optional, string, type TSchema } from '../../shared/schema.ts';

const contractOf = (body: TSchema, response: TSchema, path = '/things/{id}'): Contract => ({
  method: 'PATCH',
  path,
  body,
  response,
  summary: 'Change a thing',
  permission: 'writeLeads',
});
const record = object({
  id: integer(),
  name: string(),
  system: object({ key: string(), flags: string() }),
  health: object({ status: string() }, { 'x-volatile': true }),
});
const body = object({ name: string(), system: optional(object({ flags: string() })) });

describe('the read-only fields of a body', () => {
  const sentBack = sentBackOf(contractOf(body, record)) ?? expect.fail();

  test('the read-only fields are the fields of the record that the body schema lacks, at every depth', () => {
    expect(sentBack).toEqual({
      readOnly: { id: true, system: { key: true }, health: false },
    });
    expect(sentBackOf(contractOf(body, record, '/things/{id}/name'))).toBeUndefined();
  });

  test('read-only fields are removed from the body, but unknown fields remain in the body', () => {
    const sent = { id: 1, name: 'A', other: 2, system: { key: 'k', flags: 'f', odd: 3 }, health: {} };
    expect(splitBody(sent, sentBack)).toEqual({
      body: { name: 'A', other: 2, system: { flags: 'f', odd: 3 } },
      readOnly: { id: 1, system: { key: 'k' } },
    });
    expect(splitBody({ system: { flags: 'f' } }, sentBack).readOnly).toEqual({});
    for (const none of [[1], 'text', null]) expect(splitBody(none, sentBack).body).toBe(none);
  });

  test('if the body is an array, a client may also send the object that GET returns around this array', () => {
    const list = array(string());
    const wrapped = { ...contractOf(list, object({ data: list, version: integer() })), path: '/things/{id}' };
    const rules = sentBackOf(wrapped) ?? expect.fail();
    expect(splitBody({ data: ['a'], version: 1 }, rules)).toEqual({ body: ['a'], readOnly: { version: 1 } });
    expect(splitBody(['a'], rules).body).toEqual(['a']);
    const odd = { data: ['a'], odd: 1 };
    expect(splitBody(odd, rules).body).toBe(odd);
  });

  test('a request can have additional read-only fields', () => {
    const split = { body: { name: 'A', system: { flags: 'f' } }, readOnly: { id: 1, system: { key: 'k' } } };
    expect(makeReadOnly(split, ['system', 'code'])).toEqual({
      body: { name: 'A' },
      readOnly: { id: 1, system: { key: 'k', flags: 'f' } },
    });
  });
});

describe('a read-only field', () => {
  const shown = {
    id: 7,
    at: '2026-03-01T09:30:00.000Z',
    log: [
      { id: 2, data: { a: 1, b: 2 } },
      { id: 1, data: {} },
    ],
    roles: ['a', 'b'],
    admin: { risk: { score: 5 }, level: 'low' },
    label: 'one',
  };
  const refused = (sent: Record<string, unknown>, present: unknown = shown): string[] =>
    fieldsThatDiffer(sent, present).map(({ field }) => field);

  test.each([
    shown,
    {},
    { at: '2026-03-01T10:30:00+01:00' },
    { other: null },
    { admin: { risk: { score: 5 } } },
    { log: [{ id: 1, data: {} }] },
    { log: [] },
    { log: [{ data: { a: 1 }, id: 2 }] },
  ])('a read-only field that equals the shown value is ignored: %j', (sent) => {
    expect(refused(sent)).toEqual([]);
  });

  test.each([
    [{ id: 8 }, 'id'],
    [{ id: '7' }, 'id'],
    [{ id: null }, 'id'],
    [{ at: '2026-03-01T09:30:00.001Z' }, 'at'],
    [{ label: 'two' }, 'label'],
    [{ other: 1 }, 'other'],
    [{ toString: 'x' }, 'toString'],
    [{ admin: { risk: { score: 6 }, level: 'low' } }, 'admin.risk.score'],
    [{ admin: 'low' }, 'admin'],
    [{ admin: [] }, 'admin'],
    [{ roles: ['a'] }, 'roles'],
    [{ roles: ['b', 'a'] }, 'roles'],
    [{ roles: {} }, 'roles'],
    [{ log: [{ id: 2, data: { a: 2 } }] }, 'log'],
    [{ log: [{ id: 3, data: {} }] }, 'log'],
    [{ log: ['x'] }, 'log'],
  ])('a read-only field that differs from the shown value is rejected: %j', (sent, field) => {
    expect(refused(sent)).toEqual([field]);
  });

  test('if there are no shown values to compare with, every read-only field is rejected', () => {
    expect(refused({ id: 7, label: 'one' }, null)).toEqual(['id', 'label']);
  });
});
