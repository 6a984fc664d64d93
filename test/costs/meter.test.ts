import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import createTeam from '../../functions/teams/create-team.ts';
import readTeam from '../../functions/teams/read-team.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { increment } from '../../shared/table/counters.ts';
import { getItem } from '../../shared/table/read.ts';
import { tenant } from '../harness/tenant.ts';
import { runAs, type WireExchange, watchWire } from '../harness/wire.ts';
import { measure } from './meter.ts';
import { type Image, itemSize, unitsOf, type WireItem } from './units.ts';

const key = (name: string) => ({ pk: `ACCOUNT#test#METER#${name}`, sk: 'METER' });
const read = (name: string) => getItem(key(name));
const measured = <T>(runEndpoint: () => Promise<T>) =>
  measure(() => runAs({ functionName: 'a function' }, runEndpoint));

test('only requests that depend on an earlier response increase the number of requests in sequence', async () => {
  const together = await measured(() => Promise.all(['a', 'b', 'c'].map(read)));
  expect([together.requests, together.sequence]).toEqual([3, 1]);
  const chain = await measured(async () => {
    await read('a');
    await read('b');
  });
  expect([chain.requests, chain.sequence]).toEqual([2, 2]);
});

test('of two parallel chains of requests, the chain with more requests is counted, even if the other chain takes longer', async () => {
  const stop = watchWire({
    before: ({ input }) => JSON.stringify(input.Key)?.includes('slow') && setTimeout(50),
  });
  const both = async (one: string, other: string) => {
    const chain = async (name: string, length: number) => {
      for (let n = 0; n < length; n++) await read(`${name}${n}`);
    };
    return measured(() => Promise.all([chain(one, 3), chain(other, 2)]));
  };
  const sequences = [await both('fast', 'slow'), await both('slow', 'fast')].map(({ sequence }) => sequence);
  stop();
  expect(sequences).toEqual([3, 3]);
});

test('a request that waits only for a thread pool job counts as parallel to earlier requests', async () => {
  const derivedThenRead = async () => {
    const key = await crypto.subtle.importKey('raw', Buffer.from('key'), 'PBKDF2', false, ['deriveBits']);
    const slowly = { name: 'PBKDF2', hash: 'SHA-256', salt: Buffer.from('salt'), iterations: 300_000 };
    await crypto.subtle.deriveBits(slowly, key, 256);
    await read('b');
  };
  const { requests, sequence } = await measured(() => Promise.all([read('a'), derivedThenRead()]));
  expect([requests, sequence]).toEqual([2, 1]);
});

test('a write that the function does not await is reported as pending', async () => {
  const kept = await measured(() => increment(key('kept')));
  expect(kept.pending).toEqual([]);
  const left = await measured(async () => {
    void increment(key('left'));
  });
  expect(left.pending).toEqual(['a function UpdateItem']);
  expect(left.write).toBe(1);
});

test('an additional read raises the cost of an endpoint', async () => {
  const acme = await tenant();
  const { id } = await acme.admin.ok(createTeam, { body: { name: 'Team' } });
  const costOf = async (endpoint: Endpoint) => {
    await acme.admin.ok(endpoint, { params: { id } });
    const { requests, sequence, read } = await measure(() => acme.admin.ok(endpoint, { params: { id } }));
    return { requests, sequence, read };
  };
  const endpoint: Endpoint = readTeam;
  const usual = await costOf(endpoint);
  const planted = await costOf({
    ...endpoint,
    decide: async (...given) => {
      await read('planted');
      return endpoint.decide(...given);
    },
  });
  expect(planted).toEqual({
    requests: usual.requests + 1,
    sequence: usual.sequence + 1,
    read: usual.read + 1,
  });
});

/** An item of exactly this number of bytes. */
const item = (bytes: number, more: WireItem = {}): WireItem => {
  const rest = { pk: { S: 'a' }, sk: { S: 'b' }, ...more };
  return { ...rest, fill: { S: 'x'.repeat(bytes - itemSize(rest) - 'fill'.length) } };
};
const listed = { listPk: { S: 'noun' }, listSk: { S: '1' } };
const inState = { statePk: { S: 'open' }, stateSk: { S: '1' } };
const due = { duePk: { S: 'shard' }, dueSk: { S: '1' } };

const exchange = (operation: string, input: object, output: object = {}, status = 200): WireExchange => ({
  invocation: undefined,
  service: 'dynamodb',
  operation,
  input: input as Record<string, unknown>,
  output: output as Record<string, unknown>,
  status,
  startedAt: 0,
  endedAt: 0,
});
const readsOf = (operation: string, input: object, output: object) =>
  unitsOf(exchange(operation, input, output), []).read;
const put = (image: Image, operation = 'PutItem') => unitsOf(exchange(operation, {}), [image]).write;

describe('the size of an item', () => {
  test.each<[string, WireItem, number]>([
    ['a text takes as many bytes as its UTF-8 encoding', { name: { S: 'Zoë' } }, 4 + 4],
    ['a number takes a byte for two digits, plus one byte', { n: { N: '12345' } }, 1 + 4],
    ['digits before and after the decimal point are rounded up separately', { n: { N: '3.14159' } }, 1 + 5],
    ['leading and trailing zeros take no bytes, and a minus takes one', { n: { N: '-0.0012300' } }, 1 + 4],
    ['zero takes one byte', { n: { N: '0' } }, 1 + 1],
    ['true and null take one byte each', { yes: { BOOL: true }, no: { NULL: true } }, 3 + 1 + 2 + 1],
    ['an empty list or map takes three bytes', { l: { L: [] }, m: { M: {} } }, 1 + 3 + 1 + 3],
    [
      'a list takes one more byte for each element',
      { l: { L: [{ S: 'ab' }, { S: 'c' }] } },
      1 + 3 + (1 + 2) + (1 + 1),
    ],
    ['a map takes one more byte for each member', { m: { M: { name: { S: 'ab' } } } }, 1 + 3 + 1 + (4 + 2)],
    ['binary values are counted in bytes, not in base64 characters', { b: { B: 'AAAAAA==' } }, 1 + 4],
    [
      'a set takes the bytes of its elements',
      { s: { SS: ['ab', 'c'] }, n: { NS: ['12', '345'] } },
      1 + 3 + 1 + 2 + 3,
    ],
  ])('the size of an item: %s', (_, value, bytes) => {
    expect(itemSize(value)).toBe(bytes);
  });
});

describe('read units', () => {
  const get = (bytes: number, ConsistentRead?: boolean) =>
    readsOf('GetItem', { ConsistentRead }, { Item: item(bytes) });

  test('a read costs one unit per 4 KB, rounded up, and an eventually consistent read costs half', () => {
    expect([get(4096, true), get(4097, true), get(4096), get(4097)]).toEqual([1, 2, 0.5, 1]);
  });

  test('read units of a batch are rounded for each item, and unprocessed keys are free', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ pk: { S: name }, sk: { S: name } }));
    const input = { RequestItems: { table: { Keys: [a, b, c], ConsistentRead: true } } };
    const Responses = { table: [item(100), item(4097)] };
    const UnprocessedKeys = { table: { Keys: [c] } };
    expect(readsOf('BatchGetItem', input, { Responses, UnprocessedKeys })).toBe(1 + 2);
  });

  test('read units of a query are rounded once for the whole page', () => {
    const Items = [item(2000), item(2000), item(97)];
    expect(readsOf('Query', { ConsistentRead: true }, { Items })).toBe(2);
    expect(readsOf('Query', { IndexName: 'list' }, { Items })).toBe(1);
  });
});

describe('write units', () => {
  test('a write costs one unit per started kilobyte of the item before or after the write, whichever is larger', () => {
    expect(put({ after: item(1024) })).toBe(1);
    expect(put({ after: item(1025) })).toBe(2);
    expect(put({ before: item(3000), after: item(100) })).toBe(3);
    expect(put({ before: item(3000) })).toBe(3);
    expect(put({})).toBe(1);
  });

  test('write units are doubled in a transaction, even for a condition check', () => {
    const [small, large] = [{ after: item(10) }, { before: item(1025), after: item(1025) }];
    expect(unitsOf(exchange('TransactWriteItems', {}), [small, large]).write).toBe(2 + 4);
  });

  test.each<[string, Image, number]>([
    ['is created', { after: item(1500, listed) }, 2],
    ['is removed', { before: item(1500, listed), after: item(20) }, 2],
    ['is changed', { before: item(1500, listed), after: item(1600, listed) }, 2],
    [
      'gets a new key',
      { before: item(900, listed), after: item(900, { ...listed, listSk: { S: '2' } }) },
      1 + 1,
    ],
    ['is not changed', { before: item(900, listed), after: item(900, listed) }, 0],
    ['contains only keys and is created', { after: item(1500, due) }, 1],
    ['contains only keys and is not changed', { before: item(1500, due), after: item(1600, due) }, 0],
    ['is created in two indexes', { after: item(1500, { ...listed, ...inState }) }, 2 + 2],
    ['does not exist', { before: item(900), after: item(901) }, 0],
  ])('write units for an index entry that %s are not doubled in a transaction', (_, image, units) => {
    const table = Math.ceil(
      Math.max(...[image.before, image.after].map((one) => (one ? itemSize(one) : 0))) / 1024,
    );
    expect(put(image)).toBe(table + units);
    expect(put(image, 'TransactWriteItems')).toBe(2 * table + units);
  });
});

test.each([
  ['Scan', {}],
  ['Query', { FilterExpression: '#a = :a' }],
  ['Query', { ProjectionExpression: 'name' }],
])('the meter rejects requests whose units it cannot compute: %s %j', (operation, input) => {
  expect(() => unitsOf(exchange(operation, input, { Items: [] }), [])).toThrow('test/costs/units.ts');
});
