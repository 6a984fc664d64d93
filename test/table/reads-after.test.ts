import fc from 'fast-check';
import { expect, test } from 'vitest';
import '../harness/engine.ts';
import { addToCounter, deleteItem, putItem, type TransactItem } from '../../shared/table/operations.ts';
import { currentReads, type Reads } from '../../shared/table/read.ts';
import { readsAfter } from '../../shared/table/reads-after.ts';
import { transact } from '../../shared/table/transact.ts';

let partitions = 0;
const soon = () => Date.now() + 60_000;
const names = ['1', '2', '3', '4', '5'];

/** What the writes that a dry run lays over its reads do: whole items, and attributes or what is inside them. */
interface LaidOver {
  sk: string;
  value: number;
  how: 'put' | 'delete' | 'set' | 'set inside' | 'remove' | 'remove inside';
}

const update = (pk: string, { sk, value, how }: LaidOver): TransactItem['operation'] => {
  const inside = how.endsWith('inside');
  const path = inside ? '#map.#name' : '#name';
  return {
    Update: {
      Key: { pk, sk },
      UpdateExpression: how.startsWith('set')
        ? `SET ${path} = :value, #other = :value`
        : `REMOVE ${path}, #other`,
      ExpressionAttributeNames: { '#name': 'name', '#other': 'other', ...(inside && { '#map': 'map' }) },
      ...(how.startsWith('set') && { ExpressionAttributeValues: { ':value': value } }),
    },
  };
};

function writeOf(pk: string, change: LaidOver): TransactItem {
  const { sk, value, how } = change;
  if (how === 'delete') return deleteItem({ pk, sk });
  if (how === 'put') return putItem({ pk, sk, name: value, map: { name: value, kept: true } });
  return { operation: update(pk, change), otherwise: 'conflict' };
}

/** What DynamoDB refuses is no write: to set what is inside of nothing. */
function possible(changes: readonly LaidOver[], there: readonly string[]): LaidOver[] {
  const withMap = new Set(there);
  return changes.filter(({ sk, how }) => {
    if (how === 'put') withMap.add(sk);
    if (how === 'delete') withMap.delete(sk);
    return !how.endsWith('inside') || withMap.has(sk);
  });
}

const changes = fc.array(
  fc.record({
    sk: fc.constantFrom(...names),
    value: fc.nat(9),
    how: fc.constantFrom<LaidOver['how'][]>('put', 'delete', 'set', 'set inside', 'remove', 'remove inside'),
  }),
  { maxLength: 12 },
);

test('reads with writes laid over them find what is there once the writes are committed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...names)),
      changes,
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      fc.constantFrom(...names),
      async (there, wanted, limit, from) => {
        partitions += 1;
        const pk = `ACCOUNT#TEST#READS${partitions}`;
        await transact(
          there.map((sk) => writeOf(pk, { sk, value: 0, how: 'put' })),
          soon(),
        );
        const writes = possible(wanted, there).map((change) => writeOf(pk, change));
        const found = async ({ getItem, getItems, queryItems }: Reads) => [
          await getItem({ pk, sk: from }),
          await getItems(names.map((sk) => ({ pk, sk }))),
          await queryItems({ partition: pk, limit }),
          await queryItems({ partition: pk, sortKey: { from, to: '~' }, limit }),
        ];
        const foretold = await found(readsAfter(writes));
        for (const write of writes) await transact([write], soon());
        expect(foretold).toEqual(await found(currentReads));
      },
    ),
    { numRuns: 60 },
  );
});

test('a read of what is only counted up is refused: nothing that a dry run asks for is', async () => {
  const key = { pk: 'ACCOUNT#TEST#COUNTED', sk: 'COUNT' };
  const reads = readsAfter([addToCounter(key, 1)]);
  await expect(reads.getItem(key)).rejects.toThrow('ADD #count :amount is not laid over what is read.');
  expect(await reads.getItem({ ...key, sk: 'OTHER' })).toBeUndefined();
});
