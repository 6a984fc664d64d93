import { afterAll, beforeEach } from 'vitest';
import { startQueues } from '../../infra/local/queues.ts';
import { type Backlog, webhookBacklog } from '../../shared/backlogs/backlog.ts';
import type { Entry, NewEntry } from '../../shared/backlogs/entry.ts';
import { entriesOf } from '../../shared/backlogs/list-entries.ts';
import type { AttemptRun, Verdict, Work } from '../../shared/backlogs/work.ts';
import { queueUrlVariable } from '../../shared/events/queues.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { watchWire } from '../harness/wire.ts';

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
export const after = (milliseconds: number): void => {
  time.now = new Date(time.now.getTime() + milliseconds);
};
/** A run at this instant that has as long as a function has. */
export const run = (seconds = 55) => ({ now: time.now, deadline: Date.now() + seconds * second });

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
