import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { getItem } from '../../shared/table/read.ts';
import { gatheredRequests } from '../../shared/table/table-requests.ts';
import { watchWire } from '../harness/wire.ts';

const partition = `ACCOUNT#test#${randomUUID()}`;
const keyAt = (sk: string) => ({ pk: partition, sk });
const itemAt = (sk: string) => ({ ...keyAt(sk), text: sk });

/** Runs `work`, and returns the operations of its requests. */
async function operationsOf(work: () => Promise<unknown>): Promise<string[]> {
  const operations: string[] = [];
  const stop = watchWire({ done: ({ operation }) => void operations.push(operation) });
  await work().finally(stop);
  return operations;
}

test('requests that start together are sent together, and each gets its own items', async () => {
  const { write, getItems } = gatheredRequests();
  const names = ['a', 'b', 'c'];
  expect(await operationsOf(() => Promise.all(names.map((name) => write({ put: [itemAt(name)] }))))).toEqual([
    'BatchWriteItem',
  ]);
  let found: unknown;
  const reads = [[itemAt('b')], [itemAt('c'), itemAt('missing'), itemAt('a')], []];
  expect(
    await operationsOf(async () => {
      found = await Promise.all(reads.map((keys) => getItems(keys)));
    }),
  ).toEqual(['BatchGetItem']);
  expect(found).toEqual([[itemAt('b')], [itemAt('c'), undefined, itemAt('a')], []]);
});

test('of several writes of an item, the last one takes effect', async () => {
  const { write } = gatheredRequests();
  await Promise.all([
    write({ put: [itemAt('twice')] }),
    write({ put: [{ ...itemAt('twice'), text: 'last' }] }),
    write({ put: [itemAt('gone')] }),
    write({ remove: [keyAt('gone')] }),
  ]);
  expect(await getItem(keyAt('twice'))).toMatchObject({ text: 'last' });
  expect(await getItem(keyAt('gone'))).toBeUndefined();
});

test('a request that DynamoDB rejects does not make the others fail', async () => {
  const { write } = gatheredRequests();
  const settled = await Promise.allSettled([
    write({ put: [itemAt('before')] }),
    write({ put: [{ ...itemAt('large'), text: '.'.repeat(500_000) }] }),
    write({ put: [itemAt('after')] }),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  for (const name of ['before', 'after']) expect(await getItem(keyAt(name))).toEqual(itemAt(name));
});
