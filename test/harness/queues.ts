import { PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll } from 'vitest';
import { type Queues, startQueues } from '../../infra/local/queues.ts';
import { queueUrlVariable } from '../../shared/events/queues.ts';
import { tuneClient } from '../../shared/tune-client.ts';
import { sendsTo } from './queue-sends.ts';

declare global {
  /** Shared by all test files of this process, because clients of our modules keep the endpoint. */
  var queuesOfThisProcess: Queues | undefined;
}
globalThis.queuesOfThisProcess ??= await startQueues();
const { endpoint, queues, relayDeadLetterUrl } = globalThis.queuesOfThisProcess;
process.env.AWS_ENDPOINT_URL_SQS = endpoint;
for (const { name, url } of queues) process.env[queueUrlVariable(name)] = url;
process.env.RELAY_DEAD_LETTER_URL = relayDeadLetterUrl;

export const sqs = tuneClient(new SQSClient({ endpoint }));

// Other test files of this process use the same queues.
afterAll(async () => {
  const used = queues
    .filter(({ url, deadLetterUrl }) => sendsTo(url) + sendsTo(deadLetterUrl) > 0)
    .flatMap(({ url, deadLetterUrl }) => [url, deadLetterUrl]);
  if (sendsTo(relayDeadLetterUrl) > 0) used.push(relayDeadLetterUrl);
  await Promise.all(used.map((QueueUrl) => sqs.send(new PurgeQueueCommand({ QueueUrl }))));
  sqs.destroy();
});
