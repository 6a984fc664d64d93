import { expect, test } from 'vitest';
import { workQueues } from '../../infra/local/console/queue-states.ts';
import { readWorkQueueState, writeWorkQueueState } from '../../shared/work-queue/store.ts';
import { emptyState } from '../../shared/work-queue/work-queue-state.ts';
import { clock } from '../harness/clock.ts';
import { tenant } from '../harness/tenant.ts';

test('the console shows until when a work queue is paused, but not a pause that has ended', async () => {
  const { accountId: account } = await tenant();
  const now = clock.now();
  const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString();
  for (const [name, pausedUntil] of [
    ['MAIL', at(10)],
    ['SMS', at(-10)],
  ] as const) {
    const queue = { account, name };
    await writeWorkQueueState(
      queue,
      { ...emptyState, due: at(0), pausedUntil },
      await readWorkQueueState(queue),
    );
  }
  const paused = (await workQueues(now)).filter((queue) => queue.account === account);
  expect(paused.map(({ name, pausedUntil }) => ({ name, pausedUntil }))).toEqual([
    { name: 'MAIL', pausedUntil: at(10) },
    { name: 'SMS', pausedUntil: undefined },
    { name: 'JOBS', pausedUntil: undefined },
    { name: 'PARTNER', pausedUntil: undefined },
    { name: 'PARTNEREVENTS', pausedUntil: undefined },
    { name: 'OUTGOINGMAIL', pausedUntil: undefined },
    { name: 'RESIDUALS', pausedUntil: undefined },
    { name: 'SEALING', pausedUntil: undefined },
  ]);
});
