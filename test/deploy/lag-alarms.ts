import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { lagMetric } from '../../events/consumer.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { callLambda, logEvents } from './aws.ts';
import { credentials, type Emulator, region } from './emulator.ts';

/** The lag that a consumer logged for one health check. */
interface Lag {
  queue: QueueName;
  /** When the lag was logged, in milliseconds since 1970. */
  at: number;
  seconds: number;
}

/** Runs the health check of the stage `local` immediately. */
export const sendHealthCheck = (emulator: Emulator): Promise<unknown> =>
  callLambda(emulator, 'POST', 'functions/merchant-ops-local-schedules-health-check/invocations', {});

/** The lags that consumers have logged since an instant. In AWS, CloudWatch creates a metric from these lines. */
export async function lagsSince(emulator: Emulator, since: number): Promise<Lag[]> {
  const events = await logEvents(emulator, '/merchant-ops-local/events', lagMetric);
  return events
    .filter(({ message }) => message.startsWith('{') && message.includes('CloudWatchMetrics'))
    .map(({ message }) => JSON.parse(message))
    .map((line) => ({ queue: line.queue, at: line._aws.Timestamp, seconds: line[lagMetric] }))
    .filter(({ at }) => at >= since);
}

/** The deployed lag alarm of each queue. */
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
    if (!alarm) throw new Error(`The queue ${queue} has no lag alarm.`);
    return { queue, alarm };
  });
}

/** Reports whether an alarm fires after a period with these lags. Throws if the alarm's condition is unexpected. */
export function fires(alarm: MetricAlarm, lags: readonly Lag[]): boolean {
  const { Statistic, ComparisonOperator, EvaluationPeriods, TreatMissingData, Threshold } = alarm;
  const condition = [Statistic, ComparisonOperator, EvaluationPeriods].join(' ');
  if (condition !== 'Maximum GreaterThanOrEqualToThreshold 1' || Threshold === undefined)
    throw new Error(`The alarm ${alarm.AlarmName} has an unexpected condition: ${condition}`);
  if (lags.length === 0) return TreatMissingData === 'breaching';
  return Math.max(...lags.map(({ seconds }) => seconds)) >= Threshold;
}
