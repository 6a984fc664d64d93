import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { type Schedule, scheduleHandler } from '../../events/schedule.ts';
import { loadSchedules } from '../../infra/build/schedules.ts';
import { accountKey } from '../../shared/accounts/keys.ts';
import { emitMetric } from '../../shared/events/emit-metric.ts';
import { healthCheckAccount } from '../../shared/events/health-check.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { dataKeysKey, sessionKey } from '../../shared/security/keys.ts';
import { tableName } from '../../shared/table/client.ts';
import { increment } from '../../shared/table/counters.ts';
import { readDue } from '../../shared/table/due.ts';
import { sweepPlaceAcrossAccountsKey } from '../../shared/table/due-keys.ts';
import { type Key, type ListedNoun, recordKey, totalsKey } from '../../shared/table/keys.ts';
import { putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { workQueueStateKey } from '../../shared/work-queue/keys.ts';
import { documents } from '../harness/documents.ts';
import { takeDenied } from '../harness/rights.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import countRuns, { runsKey } from '../harness/schedules/count-runs.ts';

const now = new Date('2026-03-01T12:00:00Z');
const schedule = (run: Schedule['run'], uses: Schedule['uses'] = 'work queues'): Schedule => ({
  every: { minutes: 1 },
  timeoutSeconds: 50,
  uses,
  run,
});
const row = { pk: 'ACCOUNT#test#SCHEDULED', sk: 'TEST' };
const account = 'test' as AccountId;

describe('a schedule', () => {
  test('a schedule receives the current time and a deadline five seconds before its function times out', async () => {
    const runs: [Date, number][] = [];
    const { run, ...rest } = schedule(async (...given) => void runs.push(given));
    const before = Date.now();
    await runSchedule({ ...rest, run }, now);
    const context = { getRemainingTimeInMillis: () => 12_000 };
    await scheduleHandler({ ...rest, run }, () => now)({}, context);
    const after = Date.now();
    expect(runs.map(([at]) => at)).toEqual([now, now]);
    for (const [n, left] of [45_000, 7_000].entries()) {
      const [, deadline = 0] = runs[n] ?? [];
      expect(deadline).toBeGreaterThanOrEqual(before + left);
      expect(deadline).toBeLessThanOrEqual(after + left);
    }
  });

  test('a schedule may change the items that it uses', async () => {
    await runSchedule(countRuns, now);
    expect(await getItem(runsKey)).toMatchObject({ count: 1 });
  });

  test('a schedule may use only the due records and items of its own work', async () => {
    const put = (key: Key) => () =>
      commit({ writes: [putItem({ ...key })], events: [], deadline: Date.now() + 1000 });
    const due = (noun: ListedNoun) => () => readDue({ noun, shard: 0, before: now, limit: 10 });
    const requests: Record<string, () => Promise<unknown>> = {
      'add a health check': put(eventKey(healthCheckAccount, 7)),
      'add an event of an account': put(eventKey(account, 8)),
      'read due tickets': due('TICKET'),
      'read due work queues': due('WORKQUEUE'),
      'read a ticket': () => getItem(recordKey(account, 'TICKET', 1)),
      'write a ticket': put(recordKey(account, 'TICKET', 2)),
      'store a place in the tickets': put(sweepPlaceAcrossAccountsKey('TICKET', 9)),
      'store a place in the work queues': put(sweepPlaceAcrossAccountsKey('WORKQUEUE', 9)),
      'count in a work queue': () => increment(workQueueStateKey({ account, name: 'JOBS' })),
      'count in the totals': () => increment(totalsKey(account, 9)),
      'read a lead': () => getItem(recordKey(account, 'LEAD', 1)),
      'write a lead': put(recordKey(account, 'LEAD', 2)),
      'read a session': () => getItem(sessionKey(account, 's')),
      'read data keys': () => getItem(dataKeysKey(account)),
      'read an account': () => getItem(accountKey(account)),
      'write an account': put(accountKey(account)),
    };
    const allowedTo = async (uses: Schedule['uses']) => {
      const allowed: string[] = [];
      for (const [name, request] of Object.entries(requests)) {
        const run = schedule(async () => void (await request()), uses);
        await runSchedule(run, now).then(
          () => allowed.push(name),
          (error) => expect(error).toMatchObject({ name: 'AccessDeniedException' }),
        );
      }
      takeDenied();
      return allowed;
    };
    expect(await allowedTo('health checks')).toEqual(['add a health check']);
    expect(await allowedTo('work queues')).toEqual([
      'add a health check',
      'add an event of an account',
      'read due work queues',
      // Builds additions to the search index, whose entries are in the partitions of the records.
      'read a ticket',
      'write a ticket',
      'store a place in the work queues',
      'count in a work queue',
      'count in the totals',
      'read a lead',
      'write a lead',
    ]);
    expect(await allowedTo('tickets')).toEqual([
      'add a health check',
      'add an event of an account',
      'read due tickets',
      'read a ticket',
      'write a ticket',
      'store a place in the tickets',
      'count in the totals',
    ]);
  });

  test('a schedule cannot access other tables, queues or the index of lists', async () => {
    const sqs = new SQSClient({ endpoint: 'http://127.0.0.1:9' });
    const QueueUrl = 'http://127.0.0.1:9/queue';
    const others = [
      () => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hello' })),
      () => documents.send(new GetCommand({ TableName: 'another', Key: row, ConsistentRead: true })),
      () =>
        documents.send(
          new QueryCommand({
            TableName: tableName(),
            IndexName: 'list',
            KeyConditionExpression: 'listPk = :pk',
            ExpressionAttributeValues: { ':pk': row.pk },
          }),
        ),
    ];
    for (const other of others)
      await expect(
        runSchedule(
          schedule(async () => void (await other())),
          now,
        ),
      ).rejects.toMatchObject({
        name: 'AccessDeniedException',
      });
    expect(takeDenied()).toEqual([
      `a schedule: sqs:SendMessage on ${QueueUrl}`,
      `a schedule: dynamodb:GetItem on table another in ${row.pk}`,
      `a schedule: dynamodb:Query on table/index/list in ${row.pk}`,
    ]);
  });

  test('if a schedule throws an error, its function fails', async () => {
    const broken = schedule(() => Promise.reject(new Error('damaged')));
    await expect(runSchedule(broken, now)).rejects.toThrow('damaged');
  });

  test('a schedule is loaded from its file, and a file without a schedule is rejected', async () => {
    expect(await loadSchedules('test/harness/schedules')).toEqual([
      { name: 'count-runs', file: 'test/harness/schedules/count-runs.ts', schedule: countRuns },
    ]);
    for (const { name } of await loadSchedules()) expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
    await expect(loadSchedules('events/consumers')).rejects.toThrow(/exports no schedule/);
    expect(await loadSchedules('events/nothing-here')).toEqual([]);
  });
});

test("a metric is a log line in CloudWatch's embedded metric format", () => {
  const lines: string[] = [];
  emitMetric('SlaSweepLag', 12.5, 'Seconds', { now, log: (line) => lines.push(line) });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[^\n]*\n$/);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: 'merchant-ops',
          Dimensions: [['stage']],
          Metrics: [{ Name: 'SlaSweepLag', Unit: 'Seconds' }],
        },
      ],
    },
    stage: 'local',
    SlaSweepLag: 12.5,
  });
});
