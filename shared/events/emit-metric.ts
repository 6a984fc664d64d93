/** The CloudWatch namespace of our own metrics. */
export const metricNamespace = 'merchant-ops';

interface MetricOptions {
  now?: Date;
  /** Dimensions in addition to the stage, such as `{ queue: 'audit' }`. */
  of?: Readonly<Record<string, string>>;
  log?: (line: string) => unknown;
}

/**
 * Publishes a metric as a log line in CloudWatch's embedded metric format. This needs no API call and no
 * permission. If nothing was measured, do not call this function: alarms treat missing data as OK. The
 * default `log` writes to stdout directly, because Lambda reformats lines that are written with `console`.
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
