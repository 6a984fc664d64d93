import { expect } from 'vitest';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { callLambda } from './aws.ts';
import { type Deployment, signIn } from './deployment.ts';
import type { Emulator } from './emulator.ts';
import { lagAlarms, lagsSince, sounds } from './lag-alarms.ts';

/** Runs of the schedule in a period of the alarms: it runs each minute, and they look at five. */
const runsInPeriod = 5;

/**
 * Stops the function behind each queue, and then the relay, as an operator could: the alarm of that queue sounds and no
 * other, or all of them; once it runs again none does, and what waited has arrived. A period of the alarms is as long here
 * as five health checks take that are sent at once.
 */
export async function stopConsumers(emulator: Emulator, deployment: Deployment): Promise<void> {
  const began = Date.now();
  const alarms = await lagAlarms(emulator);
  const { key } = await signIn(deployment);
  let sent = 0;
  /** Milliseconds of the longest period so far in which everything ran. */
  let usual = 0;

  /** The queues whose alarms sound after a period, which is over when all that run were heard of. */
  const soundingAfterPeriod = async (running: readonly QueueName[]) => {
    const start = Date.now();
    for (let run = 0; run < runsInPeriod; run++) await callLambda(emulator, 'POST', checks, {});
    sent += runsInPeriod;
    if (running.length === 0) await new Promise((resolve) => setTimeout(resolve, 2 * usual));
    const silent = async () => {
      const lags = await lagsSince(emulator, start);
      return running.filter((queue) => lags.every((lag) => lag.queue !== queue));
    };
    await expect.poll(silent).toEqual([]);
    if (running.length === queueNames.length) usual = Math.max(usual, Date.now() - start);
    const lags = await lagsSince(emulator, start);
    return alarms
      .filter(({ queue, alarm }) =>
        sounds(
          alarm,
          lags.filter((lag) => lag.queue === queue),
        ),
      )
      .map(({ queue }) => queue);
  };
  const arrived = async () => {
    const lags = await lagsSince(emulator, began);
    return queueNames.filter((queue) => lags.filter((lag) => lag.queue === queue).length >= sent);
  };

  expect(await soundingAfterPeriod(queueNames)).toEqual([]);
  for (const { name, silent } of stoppable) {
    const running = queueNames.filter((queue) => !silent.includes(queue));
    await setRunning(emulator, name, false);
    // What was under way may end in the first period.
    await expect.poll(() => soundingAfterPeriod(running), { interval: 0 }).toEqual(silent);
    const { id } = await key.send<{ id: number }>('POST', '/leads', {
      body: { firstName: 'Ada', lastName: 'Byron' },
    });
    await setRunning(emulator, name, true);
    await expect.poll(arrived).toEqual(queueNames);
    const auditLog = async () => (await key.send<{ auditLog: object[] }>('GET', `/leads/${id}`)).auditLog;
    await expect.poll(auditLog).toMatchObject([{ event: 'lead_created' }]);
    expect(await soundingAfterPeriod(queueNames)).toEqual([]);
  }
}

const checks = 'functions/merchant-ops-local-schedules-health-check/invocations';

/** A function that something feeds, and the queues of which nothing is heard without it. */
const stoppable: readonly { name: string; silent: readonly QueueName[] }[] = [
  ...queueNames.map((queue) => ({ name: queue, silent: [queue] })),
  { name: 'relay', silent: queueNames },
];

/** Has its queue, or the stream, feed a function of the pipeline, or not. */
async function setRunning(emulator: Emulator, name: string, Enabled: boolean): Promise<void> {
  const mappings = 'event-source-mappings/';
  type Mappings = { EventSourceMappings: { UUID: string; State: string }[] };
  const of = `${mappings}?FunctionName=merchant-ops-local-events-${name}`;
  const { EventSourceMappings } = await callLambda<Mappings>(emulator, 'GET', of);
  expect(EventSourceMappings).toHaveLength(1);
  const path = `${mappings}${EventSourceMappings[0]?.UUID}`;
  const { State } = await callLambda<{ State: string }>(emulator, 'PUT', path, { Enabled });
  expect(State).toMatch(Enabled ? /^Enabl/ : /^Disabl/);
}
