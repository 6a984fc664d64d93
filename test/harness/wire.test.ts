import { afterEach, describe, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import readLead from '../../functions/leads/read-lead.ts';
import { drain } from './drain.ts';
import { injectFaults, noFaults } from './faults.ts';
import { scanTable } from './raw-table.ts';
import { tenant } from './tenant.ts';
import { type WireExchange, watchWire } from './wire.ts';

const acme = await tenant();
const stopping: (() => void)[] = [];
afterEach(() => {
  noFaults();
  for (const stop of stopping.splice(0)) stop();
});

/** What goes over the wire while something is done. */
async function exchangesOf(runEndpoint: () => Promise<unknown>): Promise<WireExchange[]> {
  const seen: WireExchange[] = [];
  const stop = watchWire({ done: (exchange) => seen.push(exchange) });
  await runEndpoint();
  stop();
  return seen;
}
const summary = ({ invocation, service, operation }: WireExchange) =>
  `${invocation?.functionName ?? 'test'}: ${service}:${operation}`;

describe('the wire that tests watch', () => {
  test('the wire reports the requests of each function, and the requests of the test itself', async () => {
    const body = { firstName: 'Ada', lastName: 'Byron' };
    const all = await exchangesOf(async () => {
      await acme.key.ok(createLead, { body });
      await drain();
      await scanTable();
    });
    // The webhooks consumer opens the job that seals the log only once per account and ten minutes.
    const seen = all.filter(({ invocation }) => invocation?.functionName !== 'events-webhooks');
    expect(new Set(seen.map(summary))).toEqual(
      new Set([
        'POST /leads: dynamodb:BatchGetItem',
        'POST /leads: dynamodb:Query',
        'POST /leads: dynamodb:UpdateItem',
        'POST /leads: dynamodb:TransactWriteItems',
        'test: dynamodb:DescribeTable',
        'test: dynamodb:DescribeStream',
        'test: dynamodb:GetShardIterator',
        'test: dynamodb:GetRecords',
        'events-relay: sqs:SendMessageBatch',
        'test: sqs:ReceiveMessage',
        'events-audit: dynamodb:BatchWriteItem',
        'events-audit: dynamodb:GetItem',
        'events-notifications: dynamodb:Query',
        'test: sqs:DeleteMessageBatch',
        'test: dynamodb:Scan',
      ]),
    );
    expect(seen.every(({ status, endedAt, startedAt }) => status === 200 && endedAt >= startedAt)).toBe(true);
  });

  test('the wire that tests watch keeps two calls of one endpoint apart, although they run at once', async () => {
    const lead = await acme.key.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
    const read = () => acme.key.ok(readLead, { params: { leadId: lead.id } });
    const seen = await exchangesOf(() => Promise.all([read(), read(), read()]));
    expect(new Set(seen.map(({ invocation }) => invocation)).size).toBe(3);
    const responses = seen.filter(({ operation }) => operation === 'Query').map(({ output }) => output.Items);
    expect(responses).toHaveLength(3);
    expect(responses[0]).toMatchObject([{ id: { N: String(lead.id) } }]);
  });

  test('the wire that tests watch refuses a request before it is sent, as IAM does, faults or none', async () => {
    stopping.push(
      watchWire({
        refuse: ({ operation, invocation }) =>
          invocation && operation === 'TransactWriteItems' ? 'not authorized' : undefined,
      }),
    );
    const before = await scanTable();
    for (const faults of [undefined, {}]) {
      if (faults) injectFaults(faults);
      const { status } = await acme.key.call(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
      expect(status).toBe(500);
    }
    expect((await scanTable()).filter(({ type }) => type === 'lead')).toHaveLength(
      before.filter(({ type }) => type === 'lead').length,
    );
  });
});
