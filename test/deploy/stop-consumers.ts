import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { healthCheckAccount } from '../../shared/events/health-check.ts';
import { eventPartition } from '../../shared/events/keys.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { callAws, callLambda } from './aws.ts';
import { type Deployment, signIn } from './deployment.ts';
import type { Emulator } from './emulator.ts';
import { createLead, expectAuditLog } from './follow-event.ts';
import { fires, lagAlarms, lagsSince, sendHealthCheck } from './lag-alarms.ts';

/** The number of health checks in an alarm period: a stage sends one per minute, and a period lasts five minutes. */
const checksPerPeriod = 5;

/**
 * Stops the consumer of each queue in turn, and then the relay. After each stop, exactly the alarms of the affected
 * queues must fire. After each restart, every health check must reach its queues, and no alarm may fire. To save time,
 * the health checks of an alarm period are sent without waiting a minute between them.
 */
export async function stopConsumers(emulator: Emulator, deployment: Deployment): Promise<void> {
  const alarms = await lagAlarms(emulator);
  const { key } = await signIn(deployment);
  /** Milliseconds of the longest simulated period so far in which no function was stopped. */
  let longestPeriod = 0;

  /**
   * Simulates one alarm period: sends health checks and waits until every queue in `running` has logged a lag. Returns
   * the queues whose alarms fire.
   */
  const firingAfterPeriod = async (running: readonly QueueName[]) => {
    const start = Date.now();
    for (let run = 0; run < checksPerPeriod; run++) await sendHealthCheck(emulator);
    // A function that is still running, although it should be stopped, logs its lags during this wait.
    if (running.length < queueNames.length) await sleep(2 * longestPeriod);
    const missing = async () => {
      const lags = await lagsSince(emulator, start);
      return running.filter((queue) => lags.every((lag) => lag.queue !== queue));
    };
    await expect.poll(missing).toEqual([]);
    if (running.length === queueNames.length) longestPeriod = Math.max(longestPeriod, Date.now() - start);
    const lags = await lagsSince(emulator, start);
    const lagsOf = (name: QueueName) => lags.filter(({ queue }) => queue === name);
    return alarms.filter(({ queue, alarm }) => fires(alarm, lagsOf(queue))).map(({ queue }) => queue);
  };

  expect(await firingAfterPeriod(queueNames)).toEqual([]);
  for (const { name, affected } of stoppable) {
    const running = queueNames.filter((queue) => !affected.includes(queue));
    await setRunning(emulator, name, false);
    // The alarms of this period are not checked, because it includes messages that were in flight at the stop.
    await firingAfterPeriod(running);
    expect(await firingAfterPeriod(running), `without ${name}`).toEqual(affected);
    const id = await createLead(key);
    const committed = await committedChecks(emulator);
    expect(committed.length).toBeGreaterThan(2 * checksPerPeriod);
    await setRunning(emulator, name, true);
    await expect.poll(() => lost(emulator, committed)).toEqual([]);
    await expectAuditLog(key, id);
    expect(await firingAfterPeriod(queueNames)).toEqual([]);
  }
}

/** The times of all health checks, including scheduled ones, in milliseconds since 1970. */
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

/** Lists, as `<queue> <time>`, the health checks whose lag the consumer of a queue has not logged. */
async function lost(emulator: Emulator, committed: readonly number[]): Promise<string[]> {
  const lags = await lagsSince(emulator, 0);
  const arrived = new Set(
    lags.map(({ queue, at, seconds }) => `${queue} ${Math.round(at - seconds * 1000)}`),
  );
  const due = queueNames.flatMap((queue) => committed.map((check) => `${queue} ${check}`));
  return due.filter((check) => !arrived.has(check));
}

/** The functions of the event pipeline, each with the queues that are affected if the function is stopped. */
const stoppable: readonly { name: string; affected: readonly QueueName[] }[] = [
  ...queueNames.map((queue) => ({ name: queue, affected: [queue] })),
  { name: 'relay', affected: queueNames },
];

/** Enables or disables the event source of a function. */
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
