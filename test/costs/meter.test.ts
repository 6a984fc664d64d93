import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import createTeam from '../../functions/teams/create-team.ts';
import readTeam from '../../functions/teams/read-team.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { increment } from '../../shared/table/counters.ts';
import { getItem } from '../../shared/table/read.ts';
import { tenant } from '../harness/tenant.ts';
import { runAs, watchWire } from '../harness/wire.ts';
import { measure } from './meter.ts';

const key = (name: string) => ({ pk: `ACCOUNT#test#METER#${name}`, sk: 'METER' });
const read = (name: string) => getItem(key(name));
const measured = <T>(runEndpoint: () => Promise<T>) =>
  measure(() => runAs({ functionName: 'a function' }, runEndpoint));

test('parallel requests count as one in sequence, and a request that waits for a response as one more', async () => {
  const together = await measured(() => Promise.all(['a', 'b', 'c'].map(read)));
  expect([together.requests, together.sequence]).toEqual([3, 1]);
  const chain = await measured(async () => {
    await read('a');
    await read('b');
  });
  expect([chain.requests, chain.sequence]).toEqual([2, 2]);
});

test('two parallel chains count as the longer one, even if a response is slow', async () => {
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

test('a request that waits for the thread pool counts as parallel to the requests of that time', async () => {
  const derivedThenRead = async () => {
    const key = await crypto.subtle.importKey('raw', Buffer.from('key'), 'PBKDF2', false, ['deriveBits']);
    const slowly = { name: 'PBKDF2', hash: 'SHA-256', salt: Buffer.from('salt'), iterations: 300_000 };
    await crypto.subtle.deriveBits(slowly, key, 256);
    await read('b');
  };
  const { requests, sequence } = await measured(() => Promise.all([read('a'), derivedThenRead()]));
  expect([requests, sequence]).toEqual([2, 1]);
});

test('a write that is not awaited is reported as pending after the response', async () => {
  const kept = await measured(() => increment(key('kept')));
  expect(kept.pending).toEqual([]);
  const left = await measured(async () => {
    void increment(key('left'));
  });
  expect(left.pending).toEqual(['a function UpdateItem']);
  expect(left.write).toBe(1);
});

test('an additional read in an endpoint raises its cost', async () => {
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
