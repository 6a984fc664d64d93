import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { healthCheckAccount } from '../../shared/events/health-check.ts';
import { eventPartition } from '../../shared/events/keys.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { callAws, callLambda } from './aws.ts';
import { type Deployment, signIn } from './deployment.ts';
import type { Emulator } from './emulator.ts';
import { lagAlarms, lagsSince, sendHealthCheck, sounds } from './lag-alarms.ts';

/** Runs of the schedule in a period of the alarms: it runs each minute, and they look at five. */
const runsInPeriod = 5;

/**
 * Stops the function behind each queue, and then the relay, as an operator could: the alarm of that queue sounds and no
 * other, or all of them; once it runs again none does, and every health check has arrived. A period of the alarms is here as
 * long as five health checks take that are sent at once, and twice as long while something is stopped.
 */
export async function stopConsumers(emulator: Emulator, deployment: Deployment): Promise<void> {
  const alarms = await lagAlarms(emulator);
  const { key } = await signIn(deployment);
  /** Milliseconds of the longest period so far in which everything ran. */
  let usual = 0;

  /** The queues whose alarms sound after a period, in which all that run are heard of. */
  const soundingAfterPeriod = async (running: readonly QueueName[]) => {
    const start = Date.now();
    for (let run = 0; run < runsInPeriod; run++) await sendHealthCheck(emulator);
    // What is stopped must have had the time to be heard of.
    if (running.length < queueNames.length) await sleep(2 * usual);
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

  expect(await soundingAfterPeriod(queueNames)).toEqual([]);
  for (const { name, silent } of stoppable) {
    const running = queueNames.filter((queue) => !silent.includes(queue));
    await setRunning(emulator, name, false);
    // What was under way ends in this one.
    await soundingAfterPeriod(running);
    expect(await soundingAfterPeriod(running), `without ${name}`).toEqual(silent);
    const { id } = await key.send<{ id: number }>('POST', '/leads', {
      body: { firstName: 'Ada', lastName: 'Byron' },
    });
    const committed = await committedChecks(emulator);
    expect(committed.length).toBeGreaterThan(2 * runsInPeriod);
    await setRunning(emulator, name, true);
    await expect.poll(() => lost(emulator, committed)).toEqual([]);
    const auditLog = async () => (await key.send<{ auditLog: object[] }>('GET', `/leads/${id}`)).auditLog;
    await expect.poll(auditLog).toMatchObject([{ event: 'lead_created' }]);
    expect(await soundingAfterPeriod(queueNames)).toEqual([]);
  }
}

/** When each health check was committed, those of the clock too, in milliseconds since 1970. */
async function committedChecks(emulator: Emulator): Promise<number[]> {
  const { Items } = await callAws<{ Items: { occurredAt: { S: string } }[] }>(
    emulator,
    'DynamoDB_20120810.Query',
    {
      TableName: 'merchant-ops-local',
      KeyConditionExpression: 'pk = :events',
      ExpressionAttributeValues: { ':events': { S: eventPartition(healthCheckAccount) } },
    },
  );
  return Items.map(({ occurredAt }) => Date.parse(occurredAt.S));
}

/** Which of these checks have not come to which queues. */
async function lost(emulator: Emulator, committed: readonly number[]): Promise<string[]> {
  const lags = await lagsSince(emulator, 0);
  const heard = new Set(lags.map(({ queue, at, seconds }) => `${queue} ${Math.round(at - seconds * 1000)}`));
  const due = queueNames.flatMap((queue) => committed.map((check) => `${queue} ${check}`));
  return due.filter((check) => !heard.has(check));
}

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
