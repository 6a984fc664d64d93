import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';

/** The time spans of the metrics that were requested, in seconds. */
export const requestedSpans: number[] = [];

/**
 * Replaces CloudWatch. For every queue, the latest data point is ten minutes old, and the oldest message was
 * 2 h 50 min old at that time. So this message is now three hours old.
 */
const metrics = createServer(async (request, response) => {
  const { StartTime, EndTime } = JSON.parse(await textOf(request));
  requestedSpans.push(Math.round(EndTime - StartTime));
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  const [last, before] = [Date.now() / 1000 - 600, Date.now() / 1000 - 660];
  response.end(
    JSON.stringify({
      MetricDataResults: [{ Id: 'age', Values: [10_200, 10_140], Timestamps: [last, before] }],
    }),
  );
});
beforeAll(async () => {
  await new Promise<void>((resolve) => metrics.listen(0, '127.0.0.1', resolve));
  const { port } = metrics.address() as AddressInfo;
  process.env.AWS_ENDPOINT_URL_CLOUDWATCH = `http://127.0.0.1:${port}`;
});
afterAll(() => void metrics.close());
