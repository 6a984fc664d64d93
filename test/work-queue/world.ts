import { afterAll, beforeEach } from 'vitest';
import type { Consumer } from '../../events/consumer.ts';
import { startQueues } from '../../infra/local/queues.ts';
import { queueUrlVariable } from '../../shared/events/queues.ts';
import { wakeUpBody } from '../../shared/events/wake-up.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { type Backlog, webhookBacklog } from '../../shared/work-queue/backlog.ts';
import type { Entry, NewEntry } from '../../shared/work-queue/entry.ts';
import { entriesOf } from '../../shared/work-queue/list-entries.ts';
import { sweepBacklogs } from '../../shared/work-queue/sweep-backlogs.ts';
import type { AttemptRun, Verdict, Work } from '../../shared/work-queue/work.ts';
import { workBacklog } from '../../shared/work-queue/work-backlog.ts';
import { runAs, watchWire } from '../harness/wire.ts';

const { endpoint, queues, stop } = await startQueues();
process.env.AWS_ENDPOINT_URL_SQS = endpoint;
for (const { name, url } of queues) process.env[queueUrlVariable(name)] = url;

/** Wake-ups that were sent, in this order, with the seconds by which they are delayed. */
export const wakeUps: { backlog: string; delay: number }[] = [];
const stopWatching = watchWire({
  before({ service, operation, input }) {
    if (service !== 'sqs' || operation !== 'SendMessage') return;
    const { wake } = JSON.parse(String(input.MessageBody));
    wakeUps.push({ backlog: wake.backlog, delay: Number(input.DelaySeconds ?? 0) });
  },
});
beforeEach(() => void wakeUps.splice(0));
afterAll(async () => {
  stopWatching();
  await stop();
});

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** The clock of these tests: it stands still unless a test moves it. */
export const time = { now: new Date() };
export const pass = (milliseconds: number): void => {
  time.now = new Date(time.now.getTime() + milliseconds);
};
/** A run at this instant that has as long as a function has. */
export const run = (seconds = 55) => ({ now: time.now, deadline: Date.now() + seconds * second });

/** Lets a wake-up of a backlog reach a consumer. */
export async function wake<M>({ read, handle }: Consumer<M>, { account, name }: Backlog): Promise<void> {
  const message = read?.(wakeUpBody({ account, backlog: name }));
  if (message === undefined) throw new Error(`The backlog ${name} is not worked from this queue`);
  await handle(message, run());
}

let backlogs = 0;
/** A backlog that nobody used before. */
export const newBacklog = (): Backlog => {
  backlogs += 1;
  return webhookBacklog(`backlogs-${backlogs}` as AccountId, mintId(time.now));
};

/** An entry that is due now, unless it says otherwise. */
export const entry = (id: string, more: Partial<NewEntry<Content>> = {}): NewEntry<Content> => ({
  id,
  due: time.now,
  content: { text: id },
  expires: new Date(time.now.getTime() + 30 * 24 * hour),
  ...more,
});
export interface Content {
  text: string;
}

/** Work that says of each attempt what a plain function says, and keeps what was attempted, in this order. */
export function workBy(
  verdict: (entry: Entry<Content>, run: AttemptRun) => Verdict<Content> | Promise<Verdict<Content>> = () => ({
    status: 'delivered',
    attempt: {},
  }),
): Work<Content, undefined> & { attempted: string[]; most: number } {
  let inFlight = 0;
  const work = {
    attempted: [] as string[],
    most: 0,
    prepare: async () => undefined,
    async attempt(entry: Entry<Content>, _: undefined, run: AttemptRun) {
      work.attempted.push(entry.id);
      inFlight += 1;
      work.most = Math.max(work.most, inFlight);
      try {
        return await verdict(entry, run);
      } finally {
        inFlight -= 1;
      }
    },
  };
  return work;
}

/** The statuses of a backlog's entries, the oldest id first. */
export async function statuses(backlog: Backlog): Promise<Record<string, string>> {
  const { items } = await entriesOf(backlog, time.now).newest({});
  return Object.fromEntries(items.reverse().map(({ id, status }) => [id, status]));
}

export const never = new Promise<never>(() => {});

/**
 * Does something as a function that dies at the `n`th request that it sends, before the request has an effect or after it, and
 * sends nothing more. False where it was done before.
 */
export async function killedAt(
  n: number,
  when: 'before' | 'after',
  act: () => Promise<unknown>,
): Promise<boolean> {
  const functionName = `killed ${n} ${when} ${Math.random()}`;
  const numbers = new Map<object, number>();
  let [count, dead] = [0, false];
  const death = new Promise<void>((die) => {
    const dieAt = (number: number | undefined) => {
      if (number === n) dead = true;
      if (!dead) return undefined;
      die();
      return never;
    };
    // Nobody ends this watch: whoever is dead stays it.
    watchWire({
      before({ invocation, input }) {
        if (invocation?.functionName !== functionName) return undefined;
        numbers.set(input, ++count);
        return dieAt(when === 'before' ? count : undefined);
      },
      done({ invocation, input }) {
        if (invocation?.functionName !== functionName) return undefined;
        return dieAt(when === 'after' ? numbers.get(input) : undefined);
      },
    });
  });
  return Promise.race([runAs({ functionName }, act).then(() => false), death.then(() => true)]);
}

/**
 * Lets so many times two minutes pass. After each the sweep comes by, and whatever wake-ups of the backlog it sends are worked:
 * all others are lost.
 */
export async function passTwoMinutes(
  backlog: Backlog,
  work: Work<Content, undefined>,
  times = 1,
): Promise<void> {
  for (let n = 0; n < times; n++) {
    pass(2 * minute);
    wakeUps.splice(0);
    await sweepBacklogs(run(45));
    const own = wakeUps.filter((wake) => wake.backlog === backlog.name && wake.delay === 0);
    for (const _ of own) await workBacklog(backlog, work, run());
  }
}
