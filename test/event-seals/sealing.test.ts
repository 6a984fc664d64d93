import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadSchedules } from '../../infra/build/schedules.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { commitHealthCheck, healthCheckAccount } from '../../shared/events/health-check.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { eventExpiry } from '../../shared/events/log.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { firstIdAt, mintedAt } from '../../shared/id/mint.ts';
import { sealKey, sealLeavesKey } from '../../shared/integrity/event-seals/keys.ts';
import { rootOf } from '../../shared/integrity/event-seals/merkle.ts';
import { openSealing } from '../../shared/integrity/event-seals/open-sealing.ts';
import {
  leafIn,
  type StoredSeal,
  sealHashOf,
  statementText,
} from '../../shared/integrity/event-seals/seal.ts';
import {
  allSeals,
  beginning,
  eventsWithin,
  readLeaves,
  readSealHead,
} from '../../shared/integrity/event-seals/store.ts';
import { sealedUpTo, sealTime } from '../../shared/integrity/event-seals/turns.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { asSeconds } from '../../shared/table/item.ts';
import { getItem } from '../../shared/table/read.ts';
import { readPointers } from '../../shared/work-queue/store.ts';
import { measure } from '../costs/meter.ts';
import { clock } from '../harness/clock.ts';
import { drain, newStreamRecords } from '../harness/drain.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { killStep } from '../harness/heavy.ts';
import { firstKill, killAt, type Moment } from '../harness/kill.ts';
import { eventOf } from '../harness/notify.ts';
import { nextMinute } from '../harness/quiet-minute.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { asTest, runAs, watchWire } from '../harness/wire.ts';
import {
  addEvents,
  attempt,
  job,
  newAccount,
  passToTurn,
  seal,
  sweepAfterCrash,
  takeTurn,
} from './sealed-account.ts';

// Hides the metrics of sweeps.
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));
afterEach(() => {
  noFaults();
  vi.restoreAllMocks();
});

/** The public key, read from the file without product code. */
const { d: _, ...half } = JSON.parse(readFileSync(process.env.SEAL_KEY_FILE ?? '', 'utf8'));
const verifyingKey = createPublicKey({ key: half, format: 'jwk' });

/** Verifies a chain of seals: each event of the account must be in exactly one seal, without gaps. */
async function expectValidChain(account: AccountId, seals: readonly StoredSeal[]): Promise<void> {
  const logged = await eventsWithin(account, { from: beginning, to: clock.now().toISOString() });
  const leaves = (await readLeaves(account, seals)).map((one) => one ?? []);
  for (const [n, one] of seals.entries()) {
    const before = seals[n - 1];
    expect(one).toMatchObject({
      version: 1,
      accountId: account,
      number: n + 1,
      from: before?.to ?? beginning,
      previous: before ? sealHashOf(before) : null,
      count: leaves[n]?.length,
    });
    const own = logged.filter(({ sk }) => {
      const at = mintedAt(Number(sk)).toISOString();
      return at >= one.from && at < one.to;
    });
    expect(leaves[n]).toEqual(own.map(leafIn));
    expect(rootOf(own.map((item) => leafIn(item).hash)).toString('hex')).toBe(one.root);
    const signature = Buffer.from(one.signature, 'base64');
    expect(verify('sha256', Buffer.from(statementText(one)), verifyingKey, signature)).toBe(true);
  }
  expect(leaves.flat()).toHaveLength(logged.length);
  const last = seals.at(-1);
  expect(await readSealHead(account)).toEqual(
    last && { version: seals.length, to: last.to, hash: sealHashOf(last) },
  );
}

describe('sealing', () => {
  test('events are sealed at the account’s scheduled time, and each seal continues the previous seal', async () => {
    const account = await newAccount();
    await addEvents(account, 3);
    const [first, ...others] = await seal(account);
    expect([first?.count, others]).toEqual([3, []]);
    const later = await addEvents(account, 2);
    const seals = await seal(account);
    expect(seals.map(({ count }) => count)).toEqual([3, 2]);
    expect(seals[0]).toEqual(first);
    await expectValidChain(account, seals);
    expect(Date.parse(seals[1]?.to ?? '')).toBeGreaterThan(mintedAt(later[1]?.id ?? 0).getTime());
    expect(Date.parse(seals[1]?.to ?? '') % 60_000).toBe(0);
    expect(Math.floor((clock.now().getTime() - Date.parse(seals[1]?.to ?? '')) / 60_000)).toBe(5);
  });

  test('an event less than five minutes old at a scheduled time is sealed at the next scheduled time', async () => {
    const account = await newAccount();
    passToTurn(account);
    await addEvents(account);
    clock.advance(8 * 60_000);
    await addEvents(account);
    passToTurn(account);
    await takeTurn();
    expect((await allSeals(account)).map(({ count }) => count)).toEqual([1]);
    passToTurn(account);
    await takeTurn();
    await expectValidChain(account, await allSeals(account));
    expect(await allSeals(account)).toHaveLength(2);
  });

  test('an event is sealed even if it is committed a minute after its id was created', async () => {
    const account = await newAccount();
    passToTurn(account);
    clock.advance(4 * 60_000);
    const early = eventOf(account);
    clock.advance(60_000);
    await putAll([{ ...eventKey(account, early.id), type: 'event', ...early }]);
    await addEvents(account);
    await expectValidChain(account, await seal(account));
  });

  test('if the trigger message is lost, an account is sealed within two minutes of the scheduled time', async () => {
    const account = await newAccount();
    const stop = watchWire({ refuse: ({ operation }) => (operation === 'SendMessage' ? 'no' : undefined) });
    const said = vi.spyOn(console, 'error').mockReturnValue();
    await addEvents(account).finally(stop);
    expect(String(said.mock.calls[0]?.[0])).toContain('Could not send a trigger message');
    clock.advance(6 * 60_000);
    passToTurn(account);
    await takeTurn();
    expect(await allSeals(account)).toEqual([]);
    await sweepAfterCrash();
    expect(await allSeals(account)).toHaveLength(1);
  });

  test('an event that is committed during sealing is in the next seal', async () => {
    const account = await newAccount();
    await addEvents(account);
    clock.advance(6 * 60_000);
    passToTurn(account);
    let late: Event | undefined;
    const stop = watchWire({
      // When the job has found no more events and is about to end, commits another event.
      async before({ operation, input }) {
        if (late || operation !== 'PutItem' || !JSON.stringify(input).includes('"delivered"')) return;
        late = eventOf(account);
        const event = late;
        await asTest(async () => {
          await commit({ writes: [], events: [event], deadline: Date.now() + 10_000 });
          await openSealing(event, { now: clock.now(), deadline: Date.now() + 10_000 });
        });
      },
    });
    await takeTurn().finally(stop);
    expect(late).toBeDefined();
    expect((await seal(account)).map(({ count }) => count)).toEqual([1, 1]);
  });

  test('only the first event before a seal time sends requests to schedule the seal', async () => {
    const account = await newAccount();
    const [first, second] = await addEvents(account, 2);
    const cost = async (event: Event | undefined) => {
      if (!event) throw new Error('There is no event.');
      const run = { now: clock.now(), deadline: Date.now() + 10_000 };
      const { read, write, requests } = await measure(() =>
        runAs({ functionName: 'consumer' }, () => openSealing(event, run)),
      );
      return { read, write, requests };
    };
    expect([await cost(first), await cost(second)]).toEqual(
      [1, 2].map(() => ({ read: 0, write: 0, requests: 0 })),
    );
    clock.advance(20 * 60_000);
    const [late] = await addEvents(account);
    clock.advance(20 * 60_000);
    await takeTurn();
    expect(await cost(late)).toEqual({ read: 0, write: 0, requests: 0 });
    const { pointers } = await readPointers({ account, name: 'SEALING' }, 10);
    expect(pointers).toEqual([]);
  });

  test('if the creation of the job fails, the next event creates the job', async () => {
    const account = await newAccount();
    const [first, second] = [eventOf(account), eventOf(account)];
    await commit({ writes: [], events: [first, second], deadline: Date.now() + 10_000 });
    injectFaults({ conflicts: 1, reason: 'ValidationError' });
    await expect(openSealing(first, { now: clock.now(), deadline: Date.now() })).rejects.toThrow();
    noFaults();
    expect((await readPointers({ account, name: 'SEALING' }, 10)).pointers).toEqual([]);
    await openSealing(second, { now: clock.now(), deadline: Date.now() + 10_000 });
    expect((await readPointers({ account, name: 'SEALING' }, 10)).pointers).toHaveLength(1);
  });

  test('an event that is no longer in the log does not create a job', async () => {
    const account = await newAccount();
    await openSealing(eventOf(account), { now: clock.now(), deadline: Date.now() + 10_000 });
    expect((await readPointers({ account, name: 'SEALING' }, 10)).pointers).toEqual([]);
  });

  test.each([
    ['at the scheduled time', 0, []],
    ['40 minutes after the scheduled time', 40, [2400]],
  ])('the lag metric is correct for a seal %s', async (_, minutes, expected) => {
    const account = await newAccount();
    nextMinute();
    const [event] = await addEvents(account);
    const turn = sealTime(account, mintedAt(event?.id ?? 0));
    // Advances two seconds more than needed, because SQS delays are rounded up to whole seconds.
    clock.advance(turn.getTime() + minutes * 60_000 + 2_000 - clock.now().getTime());
    await takeTurn();
    expect(await allSeals(account)).toHaveLength(1);
    const lags = vi.mocked(process.stdout.write).mock.calls.flatMap(([line]) => {
      const { SealLag } = JSON.parse(String(line)) as { SealLag?: number };
      return SealLag ?? [];
    });
    // A lag is up to ten minutes shorter than expected, depending on when the event was created.
    expect(lags).toHaveLength(expected.length);
    for (const [n, lag] of lags.entries()) {
      expect(lag).toBeLessThanOrEqual(expected[n] ?? 0);
      expect(lag).toBeGreaterThan((expected[n] ?? 0) - 600);
    }
  });

  test('scheduled functions send no requests for accounts without new events', async () => {
    const account = await newAccount();
    await addEvents(account);
    const before = await seal(account);
    const idle = [account, ...(await Promise.all(Array.from({ length: 120 }, newAccount)))];
    const schedules = await loadSchedules();
    for (let minute = 0; minute < 10; minute += 1) {
      clock.advance(60_000);
      const run = async () => {
        for (const { schedule } of schedules) await runSchedule(schedule, clock.now());
      };
      const { exchanges } = await measure(() => runAs({ functionName: 'sweeps' }, run));
      const sent = exchanges.map(({ input }) => JSON.stringify(input)).join('\n');
      expect(idle.filter((one) => sent.includes(`${one}#`))).toEqual([]);
      expect(sent.includes('"ACCOUNTS"')).toBe(false);
    }
    expect(await allSeals(account)).toEqual(before);
  });

  test('a health check is not sealed', async () => {
    await commitHealthCheck({ now: clock.now(), deadline: Date.now() + 10_000 });
    await drain();
    expect(await seal(healthCheckAccount)).toEqual([]);
  });

  test('more than 1,000 events are split into several seals, but events of the same millisecond are never split', async () => {
    const account = await newAccount();
    const start = firstIdAt(clock.now());
    const items = Array.from({ length: 1300 }, (_, n) => {
      const id = n < 700 || n >= 1200 ? start + n * 4096 : start + 700 * 4096 + n;
      return { ...eventKey(account, id), type: 'event', ...eventOf(account, { id }) };
    });
    expect(await putAll(items)).toEqual([]);
    // Removes the new records from the stream, so that the next drain does not send them to consumers.
    await newStreamRecords();
    await openSealing(
      { accountId: account, id: Number(items[0]?.sk) },
      { now: clock.now(), deadline: Date.now() + 10_000 },
    );
    clock.advance(6 * 60_000);
    const now = clock.now();
    // The attempt ends after each seal, so that other work items can run.
    expect(await attempt(account, { now })).toEqual({ content: job, again: now });
    expect((await allSeals(account)).map(({ count }) => count)).toEqual([1200]);
    const seals = await seal(account);
    // The first seal contains the first 700 events, and the next 500, which all have the same millisecond.
    expect(seals.map(({ count }) => count)).toEqual([1200, 100]);
    await expectValidChain(account, seals);
  });

  test('concurrent workers that seal up to different times seal each event once, without gaps', async () => {
    const account = await newAccount();
    await addEvents(account, 2);
    clock.advance(6 * 60_000);
    const early = clock.now();
    await addEvents(account);
    clock.advance(6 * 60_000);
    const late = clock.now();
    const work = async (now: Date) => {
      for (;;) {
        const result = await attempt(account, { now });
        if ('status' in result || ('content' in result && result.again > now)) return;
      }
    };
    await Promise.all([early, late, early, late].map(work));
    await expectValidChain(account, await allSeals(account));
  });

  test('an error is logged if a seal already exists for the same time but is not the newest seal of the account', async () => {
    const account = await newAccount();
    await addEvents(account);
    clock.advance(6 * 60_000);
    const now = clock.now();
    await putAll([{ ...sealKey(account, sealedUpTo(now)), type: 'seal' }]);
    const said = vi.spyOn(console, 'error').mockReturnValue();
    const again = new Date(now.getTime() + 60_000);
    expect(await attempt(account, { now })).toEqual({ again, ownFault: true });
    expect(said.mock.calls.flat().join(' ')).toContain(`The events of ${account} could not be sealed`);
  });

  test('the leaves of a seal expire with the events, but the seal never expires', async () => {
    const account = await newAccount();
    await addEvents(account);
    const [{ root = '', to = '' } = {}] = await seal(account);
    const leaves = await getItem(sealLeavesKey(account, root));
    expect(leaves?.expiresAtSeconds).toBe(asSeconds(eventExpiry(to.slice(0, 7))));
    const [event] = await eventsWithin(account, { from: beginning, to });
    expect(Number(event?.expiresAtSeconds)).toBeLessThanOrEqual(Number(leaves?.expiresAtSeconds));
    const [item] = (await allSeals(account)) as { expiresAtSeconds?: number }[];
    expect(item?.expiresAtSeconds).toBeUndefined();
  });
});

test.each<Moment>(['before', 'after'])(
  'if the worker is killed %s a call takes effect, each event is in exactly one seal, without gaps',
  async (moment) => {
    let killed = true;
    for (let n = firstKill(moment, killStep); killed; n += killStep) {
      const account = await newAccount();
      await addEvents(account, 2);
      clock.advance(6 * 60_000);
      passToTurn(account);
      killed = await killAt(n, moment, takeTurn);
      await sweepAfterCrash();
      await addEvents(account);
      const seals = await seal(account);
      await expectValidChain(account, seals);
      expect(
        seals.map(({ count }) => count),
        `call ${n}`,
      ).toEqual(
        // If the worker is killed before the job is created, all three events are in the next seal.
        seals.length === 1 ? [3] : [2, 1],
      );
      expect(n).toBeLessThan(40);
    }
  },
);
