/** Under which CloudWatch keeps our own metrics, each by stage. */
export const metricNamespace = 'merchant-ops';

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
  { now = new Date(), log = (line: string): unknown => process.stdout.write(line) } = {},
): void {
  const described = {
    Namespace: metricNamespace,
    Dimensions: [['stage']],
    Metrics: [{ Name: name, Unit: unit }],
  };
  const _aws = { Timestamp: now.getTime(), CloudWatchMetrics: [described] };
  log(`${JSON.stringify({ _aws, stage: process.env.STAGE, [name]: value })}\n`);
}
