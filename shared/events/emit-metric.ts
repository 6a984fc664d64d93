/** Under which CloudWatch keeps our own metrics, each by stage. */
export const metricNamespace = 'merchant-ops';

interface MetricOptions {
  now?: Date;
  /** What it is of, beside the stage: its name and value, such as `{ queue: 'audit' }`. */
  of?: Readonly<Record<string, string>>;
  log?: (line: string) => unknown;
}

/**
 * Publishes a value of a metric as a line of the log in CloudWatch's embedded metric format: no call, and no right, is
 * needed for it. Emit only what was measured: an alarm is silent where there is nothing. Goes past `console`, around
 * whose lines Lambda puts JSON of its own.
 *
 * docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function emitMetric(
  name: string,
  value: number,
  unit: 'Seconds' | 'Milliseconds' | 'Count',
  { now = new Date(), of = {}, log = (line) => process.stdout.write(line) }: MetricOptions = {},
): void {
  const described = {
    Namespace: metricNamespace,
    Dimensions: [['stage', ...Object.keys(of)]],
    Metrics: [{ Name: name, Unit: unit }],
  };
  const _aws = { Timestamp: now.getTime(), CloudWatchMetrics: [described] };
  log(`${JSON.stringify({ _aws, stage: process.env.STAGE, ...of, [name]: value })}\n`);
}
