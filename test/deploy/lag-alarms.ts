import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { lagMetric } from '../../events/consumer.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { callAws, callLambda } from './aws.ts';
import { credentials, type Emulator, region } from './emulator.ts';

/** What a consumer said of one health check. */
export interface Lag {
  queue: QueueName;
  /** When it said so, in milliseconds since 1970. */
  at: number;
  seconds: number;
}

/** Runs the schedule of health checks of the stage `local`, beside the clock. */
export const sendHealthCheck = (emulator: Emulator): Promise<unknown> =>
  callLambda(emulator, 'POST', 'functions/merchant-ops-local-schedules-health-check/invocations', {});

/** What the consumers of the stage `local` have published since an instant: CloudWatch would make a metric of these lines. */
export async function lagsSince(emulator: Emulator, since: number): Promise<Lag[]> {
  const logGroupName = '/merchant-ops-local/events';
  const { events } = await callAws<{ events: { message: string }[] }>(
    emulator,
    'Logs_20140328.FilterLogEvents',
    { logGroupName, filterPattern: lagMetric },
  );
  return events
    .filter(({ message }) => message.startsWith('{') && message.includes('CloudWatchMetrics'))
    .map(({ message }) => JSON.parse(message))
    .map((line) => ({ queue: line.queue, at: line._aws.Timestamp, seconds: line[lagMetric] }))
    .filter(({ at }) => at >= since);
}

/** The deployed alarm on the lag of each queue. */
export async function lagAlarms({ endpoint }: Emulator): Promise<{ queue: QueueName; alarm: MetricAlarm }[]> {
  const client = new CloudWatchClient({ endpoint, region, credentials });
  const { MetricAlarms = [] } = await client.send(
    new DescribeAlarmsCommand({ AlarmNamePrefix: 'merchant-ops-local-', MaxRecords: 100 }),
  );
  client.destroy();
  return queueNames.map((queue) => {
    const alarm = MetricAlarms.find(
      ({ MetricName, Dimensions = [] }) =>
        MetricName === lagMetric && Dimensions.some(({ Name, Value }) => Name === 'queue' && Value === queue),
    );
    if (!alarm) throw new Error(`No alarm looks at the lag of the queue ${queue}.`);
    return { queue, alarm };
  });
}

/** Whether an alarm sounds after a period in which this was published. Throws for an alarm that is reckoned otherwise. */
export function sounds(alarm: MetricAlarm, lags: readonly Lag[]): boolean {
  const { Statistic, ComparisonOperator, EvaluationPeriods, TreatMissingData, Threshold } = alarm;
  const reckoned = [Statistic, ComparisonOperator, EvaluationPeriods].join(' ');
  if (reckoned !== 'Maximum GreaterThanOrEqualToThreshold 1' || Threshold === undefined)
    throw new Error(`The alarm ${alarm.AlarmName} is reckoned otherwise: ${reckoned}`);
  if (lags.length === 0) return TreatMissingData === 'breaching';
  return Math.max(...lags.map(({ seconds }) => seconds)) >= Threshold;
}
