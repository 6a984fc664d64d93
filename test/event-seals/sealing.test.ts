import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadSchedules } from '../../infra/build/schedules.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { commitHealthCheck, healthCheckAccount } from '../../shared/events/health-check.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { expiryOf } from '../../shared/events/log.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { firstIdAt, mintedAt } from '../../shared/id/mint.ts';
import { sealKey, sealLeavesKey } from '../../shared/integrity/event-seals/keys.ts';
import { rootOf } from '../../shared/integrity/event-seals/merkle.ts';
import { openSealing } from '../../shared/integrity/event-seals/open-sealing.ts';
import { hashOf, leafIn, type StoredSeal, statementText } from '../../shared/integrity/event-seals/seal.ts';
import {
  allSeals,
  beginning,
  eventsWithin,
  readLeaves,
  readSealHead,
} from '../../shared/integrity/event-seals/store.ts';
import { sealedUpTo, turnFor } from '../../shared/integrity/event-seals/turns.ts';
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
import { runSchedule } from '../harness/run-schedule.ts';
import { asTest, runAs, watchWire } from '../harness/wire.ts';
import {
  attempt,
  happens,
  job,
  newAccount,
  passToTurn,
  seal,
  takeTurn,
  wakeAfterDeath,
} from './sealed-account.ts';

// The metrics of every sweep.
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));
afterEach(() => {
  noFaults();
  vi.restoreAllMocks();
});

/** The public half of the key in the file, without any code of ours. */
const { d: _, ...half } = JSON.parse(readFileSync(process.env.SEAL_KEY_FILE ?? '', 'utf8'));
const verifyingKey = createPublicKey({ key: half, format: 'jwk' });

/** Holds all that is promised of a chain of seals: every event of the account in exactly one, none between two. */
async function expectWhole(account: AccountId, seals: readonly StoredSeal[]): Promise<void> {
  const logged = await eventsWithin(account, { from: beginning, to: clock.now().toISOString() });
  const leaves = (await readLeaves(account, seals)).map((one) => one ?? []);
  for (const [n, one] of seals.entries()) {
    const before = seals[n - 1];
    expect(one).toMatchObject({
      version: 1,
      accountId: account,
      number: n + 1,
      from: before?.to ?? beginning,
      previous: before ? hashOf(before) : null,
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
    last && { version: seals.length, to: last.to, hash: hashOf(last) },
  );
}

describe('sealing', () => {
  test('what happened is sealed at the account’s turn, five minutes behind, each seal behind the one before', async () => {
    const account = await newAccount();
    await happens(account, 3);
    const [first, ...others] = await seal(account);
    expect([first?.count, others]).toEqual([3, []]);
    const later = await happens(account, 2);
    const seals = await seal(account);
    expect(seals.map(({ count }) => count)).toEqual([3, 2]);
    expect(seals[0]).toEqual(first);
    await expectWhole(account, seals);
    expect(Date.parse(seals[1]?.to ?? '')).toBeGreaterThan(mintedAt(later[1]?.id ?? 0).getTime());
    expect(Date.parse(seals[1]?.to ?? '') % 60_000).toBe(0);
    expect(Math.floor((clock.now().getTime() - Date.parse(seals[1]?.to ?? '')) / 60_000)).toBe(5);
  });

  test('what is younger than five minutes waits for the next seal', async () => {
    const account = await newAccount();
    passToTurn(account);
    await happens(account);
    clock.advance(8 * 60_000);
    await happens(account);
    passToTurn(account);
    await takeTurn();
    expect((await allSeals(account)).map(({ count }) => count)).toEqual([1]);
    passToTurn(account);
    await takeTurn();
    await expectWhole(account, await allSeals(account));
    expect(await allSeals(account)).toHaveLength(2);
  });

  test('an event that is committed a minute after its id was minted is in its seal', async () => {
    const account = await newAccount();
    passToTurn(account);
    clock.advance(4 * 60_000);
    const early = eventOf(account);
    clock.advance(60_000);
    await putAll([{ ...eventKey(account, early.id), type: 'event', ...early }]);
    await happens(account);
    await expectWhole(account, await seal(account));
  });

  test('an account is sealed within two minutes of its turn where the trigger message is lost', async () => {
    const account = await newAccount();
    const stop = watchWire({ refuse: ({ operation }) => (operation === 'SendMessage' ? 'no' : undefined) });
    const said = vi.spyOn(console, 'error').mockReturnValue();
    await happens(account).finally(stop);
    expect(String(said.mock.calls[0]?.[0])).toContain('Could not send a trigger message');
    clock.advance(6 * 60_000);
    passToTurn(account);
    await takeTurn();
    expect(await allSeals(account)).toEqual([]);
    await wakeAfterDeath();
    expect(await allSeals(account)).toHaveLength(1);
  });

  test('an event that arrives while its account is being sealed is in the next seal', async () => {
    const account = await newAccount();
    await happens(account);
    clock.advance(6 * 60_000);
    passToTurn(account);
    let late: Event | undefined;
    const stop = watchWire({
      // The job has found nothing more to seal, and is about to be over.
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

  test('the events of one turn open one job, and all but the first cost nothing', async () => {
    const account = await newAccount();
    const [first, second] = await happens(account, 2);
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
    const [late] = await happens(account);
    // The second turn: the waiting entry is written once.
    clock.advance(20 * 60_000);
    await takeTurn();
    expect(await cost(late)).toEqual({ read: 0, write: 0, requests: 0 });
    const { pointers } = await readPointers({ account, name: 'JOBS' }, 10);
    expect(pointers).toEqual([]);
  });

  test('where the write that opens the job fails, the next event of that turn opens it', async () => {
    const account = await newAccount();
    const [first, second] = [eventOf(account), eventOf(account)];
    await commit({ writes: [], events: [first, second], deadline: Date.now() + 10_000 });
    injectFaults({ conflicts: 1, reason: 'ValidationError' });
    await expect(openSealing(first, { now: clock.now(), deadline: Date.now() })).rejects.toThrow();
    noFaults();
    expect((await readPointers({ account, name: 'JOBS' }, 10)).pointers).toEqual([]);
    await openSealing(second, { now: clock.now(), deadline: Date.now() + 10_000 });
    expect((await readPointers({ account, name: 'JOBS' }, 10)).pointers).toHaveLength(1);
  });

  test('an event that is no longer in the log opens no job', async () => {
    const account = await newAccount();
    await openSealing(eventOf(account), { now: clock.now(), deadline: Date.now() + 10_000 });
    expect((await readPointers({ account, name: 'JOBS' }, 10)).pointers).toEqual([]);
  });

  test.each([
    ['at its turn', 0, []],
    ['40 minutes after its turn', 40, [2400]],
  ])('the metric reports the lag of a seal that is made %s', async (_, minutes, expected) => {
    const account = await newAccount();
    clock.advance(60_000 - (clock.now().getTime() % 60_000));
    const [event] = await happens(account);
    const turn = turnFor(account, mintedAt(event?.id ?? 0));
    // SQS delays by whole seconds.
    clock.advance(turn.getTime() + minutes * 60_000 + 2_000 - clock.now().getTime());
    await takeTurn();
    expect(await allSeals(account)).toHaveLength(1);
    const lags = vi.mocked(process.stdout.write).mock.calls.flatMap(([line]) => {
      const { SealLag } = JSON.parse(String(line)) as { SealLag?: number };
      return SealLag ?? [];
    });
    // The turn is up to ten minutes after the first instant at which the event may be sealed.
    expect(lags).toHaveLength(expected.length);
    for (const [n, lag] of lags.entries()) {
      expect(lag).toBeLessThanOrEqual(expected[n] ?? 0);
      expect(lag).toBeGreaterThan((expected[n] ?? 0) - 600);
    }
  });

  test('accounts without new events cost nothing, whatever schedule runs', async () => {
    const account = await newAccount();
    await happens(account);
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

  test('a health check is in no seal', async () => {
    await commitHealthCheck({ now: clock.now(), deadline: Date.now() + 10_000 });
    await drain();
    expect(await seal(healthCheckAccount)).toEqual([]);
  });

  test('more than a thousand events are several seals, and those of one millisecond stay together', async () => {
    const account = await newAccount();
    const start = firstIdAt(clock.now());
    const items = Array.from({ length: 1300 }, (_, n) => {
      const id = n < 700 || n >= 1200 ? start + n * 4096 : start + 700 * 4096 + n;
      return { ...eventKey(account, id), type: 'event', ...eventOf(account, { id }) };
    });
    expect(await putAll(items)).toEqual([]);
    // No consumer needs to handle them: the next drain would send all of them.
    await newStreamRecords();
    await openSealing(
      { accountId: account, id: Number(items[0]?.sk) },
      { now: clock.now(), deadline: Date.now() + 10_000 },
    );
    clock.advance(6 * 60_000);
    const now = clock.now();
    // A step of long work, so that others get their turn.
    expect(await attempt(account, { now })).toEqual({ content: job, again: now });
    expect((await allSeals(account)).map(({ count }) => count)).toEqual([1200]);
    const seals = await seal(account);
    // The 700 before that millisecond and the 500 in it; then the rest.
    expect(seals.map(({ count }) => count)).toEqual([1200, 100]);
    await expectWhole(account, seals);
  });

  test('several workers at once, who are to seal up to different instants, seal each event once and leave no gap', async () => {
    const account = await newAccount();
    await happens(account, 2);
    clock.advance(6 * 60_000);
    const early = clock.now();
    await happens(account);
    clock.advance(6 * 60_000);
    const late = clock.now();
    const work = async (now: Date) => {
      for (;;) {
        const result = await attempt(account, { now });
        if ('status' in result || ('content' in result && result.again > now)) return;
      }
    };
    await Promise.all([early, late, early, late].map(work));
    await expectWhole(account, await allSeals(account));
  });

  test('a seal that stands in the way of the next, and is not the newest, is no other worker: it is told in the log', async () => {
    const account = await newAccount();
    await happens(account);
    clock.advance(6 * 60_000);
    const now = clock.now();
    await putAll([{ ...sealKey(account, sealedUpTo(now)), type: 'seal' }]);
    const said = vi.spyOn(console, 'error').mockReturnValue();
    const again = new Date(now.getTime() + 60_000);
    expect(await attempt(account, { now })).toEqual({ again, ownFault: true });
    expect(said.mock.calls.flat().join(' ')).toContain(`The events of ${account} could not be sealed`);
  });

  test('the leaves of a seal stay as long as its events, and the seal for good', async () => {
    const account = await newAccount();
    await happens(account);
    const [{ root = '', to = '' } = {}] = await seal(account);
    const leaves = await getItem(sealLeavesKey(account, root));
    expect(leaves?.expiresAtSeconds).toBe(asSeconds(expiryOf(to.slice(0, 7))));
    const [event] = await eventsWithin(account, { from: beginning, to });
    expect(Number(event?.expiresAtSeconds)).toBeLessThanOrEqual(Number(leaves?.expiresAtSeconds));
    const [item] = (await allSeals(account)) as { expiresAtSeconds?: number }[];
    expect(item?.expiresAtSeconds).toBeUndefined();
  });
});

test.each<Moment>(['before', 'after'])(
  'killed %s a call of the worker has its effect, there is one seal and no gap',
  async (moment) => {
    let killed = true;
    for (let n = firstKill(moment, killStep); killed; n += killStep) {
      const account = await newAccount();
      await happens(account, 2);
      clock.advance(6 * 60_000);
      passToTurn(account);
      killed = await killAt(n, moment, takeTurn);
      await wakeAfterDeath();
      await happens(account);
      const seals = await seal(account);
      await expectWhole(account, seals);
      expect(
        seals.map(({ count }) => count),
        `call ${n}`,
      ).toEqual(
        // Killed before anything was opened, the next turn seals all at once.
        seals.length === 1 ? [3] : [2, 1],
      );
      expect(n).toBeLessThan(40);
    }
  },
);
