import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { queueUrlVariable } from '../../shared/events/queues.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { getItem, queryItems } from '../../shared/table/read.ts';
import { failCalls, seeded, throttleOf } from './call-faults.ts';
import { clock } from './clock.ts';
import { delayedMessages } from './delayed-messages.ts';
import { drain, drainInDisorder } from './drain.ts';
import { injectFaults, noFaults } from './faults.ts';
import { countCalls, killAt } from './kill.ts';
import { inQuietMinute } from './quiet-minute.ts';
import { tenant } from './tenant.ts';
import { runAs, type WireFault } from './wire.ts';

const acme = await tenant();
const stops: (() => void)[] = [];
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));
afterEach(() => {
  noFaults();
  clock.reset();
  for (const stop of stops.splice(0)) stop();
});

const oneLead = () => acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
/** The kinds of the audit entries that lie beside a lead or its tombstone. */
const entriesOf = async (id: number) => {
  const items = await queryItems({ partition: recordKey(acme.accountId, 'LEAD', id).pk });
  return items.filter(({ sk }) => sk !== 'RECORD').map(({ event }) => event);
};

describe('a function that is killed', () => {
  test('relay and consumers that are killed at any of their calls, before or after its effect, leave one audit entry', async () => {
    await drain();
    await oneLead();
    const calls = await countCalls(drain);
    // Of the relay one for each queue, of the audit consumer one write and one read.
    expect(calls).toBeGreaterThanOrEqual(5);
    for (const moment of ['before', 'after'] as const)
      for (let n = 1; n <= calls; n++) {
        const { id } = await oneLead();
        expect(await killAt(n, moment, drain), `${moment} call ${n}`).toBe(true);
        await drain();
        expect(await entriesOf(id), `${moment} call ${n}`).toEqual(['lead_created']);
      }
    const { id } = await oneLead();
    expect(await killAt(calls + 1, 'before', drain)).toBe(false);
    expect(await entriesOf(id)).toEqual(['lead_created']);
  });

  test('a function that is killed before a call has no effect by it, and after a call has it, and no catch hears of either', async () => {
    for (const [moment, written] of [
      ['before', false],
      ['after', true],
    ] as const) {
      // So that a deletion is as many calls as a read and its transaction.
      await inQuietMinute(oneLead);
      const { id } = await oneLead();
      await drain();
      const heard: string[] = [];
      const run = () =>
        runAs({ functionName: 'trial' }, () => getItem(recordKey(acme.accountId, 'LEAD', id))).then(
          () => heard.push('done'),
          () => heard.push('failed'),
        );
      expect(await killAt(1, moment, run)).toBe(true);
      await new Promise(setImmediate);
      expect(heard).toEqual([]);
      const deletion = () => acme.key.ok(deleteLead, { params: { leadId: id } });
      const calls = await countCalls(() => acme.key.ok(readLead, { params: { leadId: id } }));
      // The last call of a deletion is its transaction.
      expect(await killAt(calls + 1, moment, deletion)).toBe(true);
      const { status } = await acme.key.call(readLead, { params: { leadId: id } });
      expect(status === 404).toBe(written);
    }
  });
});

describe('the calls of a function', () => {
  const sqs = () =>
    new SQSClient({
      endpoint: process.env.AWS_ENDPOINT_URL_SQS,
      useQueueUrlAsEndpoint: false,
      maxAttempts: 1,
    });
  const QueueUrl = process.env[queueUrlVariable('jobs')];
  const wake = JSON.stringify({ wake: { account: 'acc_1', backlog: 'JOBS' } });
  const sent = (DelaySeconds?: number) =>
    runAs({ functionName: 'trial' }, () =>
      sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: wake, DelaySeconds })),
    );
  const failing = (fault: WireFault) => {
    const { injected, stop } = failCalls(() => fault);
    stops.push(stop);
    return injected;
  };

  test('the calls of a function to SQS, SNS and DynamoDB fail as the service words it', async () => {
    const injected = failing({ error: 'Throttling' });
    await expect(sent()).rejects.toMatchObject({ name: 'Throttling' });
    const sns = new SNSClient({ endpoint: 'http://127.0.0.1:9', maxAttempts: 1 });
    const publish = () => sns.send(new PublishCommand({ PhoneNumber: '+14155550134', Message: 'hello' }));
    await expect(runAs({ functionName: 'trial' }, publish)).rejects.toMatchObject({ name: 'Throttling' });
    expect([...injected]).toEqual([
      ['sqs Throttling', 1],
      ['sns Throttling', 1],
    ]);
  });

  test('the calls of a function that hang end when it gives up, and what is lost had its effect', async () => {
    failing('hangs');
    const signal = AbortSignal.abort();
    const hanging = runAs({ functionName: 'trial' }, () =>
      sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: wake }), { abortSignal: signal }),
    );
    await expect(hanging).rejects.toMatchObject({ name: 'AbortError' });
    for (const stop of stops.splice(0)) stop();
    const { injected, stop } = failCalls(({ operation }) =>
      operation === 'TransactWriteItems' ? 'lost' : undefined,
    );
    stops.push(stop);
    await acme.key.call(createLead, { body: { firstName: 'Ada', lastName: 'Lost' }, milliseconds: 3_000 });
    expect(injected.get('dynamodb lost')).toBeGreaterThan(0);
  });

  test('the calls of a function are throttled, reads and writes, and the pipeline loses nothing by it', async () => {
    const { id } = await oneLead();
    const random = seeded(7);
    const { injected, stop } = failCalls(({ service }) => (random() < 0.2 ? throttleOf(service) : undefined));
    stops.push(stop);
    injectFaults({ throttles: 0.2, readThrottles: 0.2 });
    for (let attempt = 0; attempt < 20; attempt++)
      await drain().then(
        () => {
          attempt = 20;
        },
        () => {},
      );
    noFaults();
    stop();
    await drain();
    expect([...injected.keys()].length).toBeGreaterThan(0);
    expect(await entriesOf(id)).toEqual(['lead_created']);
  });

  test('a message with a delay comes when the clock of the test is there, and not before', async () => {
    await drain();
    const others = [...delayedMessages()];
    const held = () => delayedMessages().filter((message) => !others.includes(message));
    await sent(600);
    expect(held()).toHaveLength(1);
    // The clock of the test goes on with the machine's, so it stays clear of the instant.
    clock.advance(500_000);
    await drain();
    expect(held()).toHaveLength(1);
    clock.advance(100_000);
    await drain();
    expect(held()).toEqual([]);
  });
});

test('messages that come one to five times and shuffled make one audit entry each', async () => {
  await drain();
  const leads = await Promise.all(Array.from({ length: 12 }, oneLead));
  await acme.key.ok(deleteLead, { params: { leadId: leads[0]?.id ?? 0 } });
  await drainInDisorder(seeded(42));
  const entries = await Promise.all(leads.map(({ id }) => entriesOf(id)));
  expect(entries).toEqual(leads.map((_, index) => (index === 0 ? [] : ['lead_created'])));
});
