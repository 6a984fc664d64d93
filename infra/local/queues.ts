import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { routing } from '../../events/routing.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { CannotStart, isUnreachable } from '../administration/cannot-start.ts';
import { type Door, refuse } from './door.ts';

export interface Queues {
  endpoint: string;
  queues: { name: QueueName; url: string; deadLetterUrl: string }[];
  /** The queue for records that the relay cannot read, and for messages that the relay cannot send. */
  relayDeadLetterUrl: string;
  stop(): Promise<void>;
}

interface QueuesOptions {
  /** The endpoint of an existing SQS. Default: an in-memory SQS in this process. */
  endpoint?: string;
  /** The visibility timeout of all queues. Default: each consumer's timeout. */
  visibilitySeconds?: number;
  /** A message moves to the dead-letter queue after this number of receives. Default 5. */
  maxReceiveCount?: number;
  /** The prefix of the queue names, so that two services can share one SQS. */
  prefix?: string;
  /** Checks each request to the SQS in this process. Default: all requests are accepted. */
  door?: Door;
}

/**
 * Creates a queue and a dead-letter queue for each name in events/routing.ts, and a dead-letter queue for the relay.
 * Throws CannotStart if the configured SQS cannot be reached.
 */
export async function startQueues({ endpoint, door, ...options }: QueuesOptions = {}): Promise<Queues> {
  if (endpoint !== undefined) {
    const created = await createQueues(endpoint, (url) => url, options).catch((error) => {
      throw isUnreachable(error) ? new CannotStart(`Cannot connect to SQS at ${endpoint}.`) : error;
    });
    return { endpoint, ...created, stop: async () => {} };
  }
  const { address, alias, stop } = await startServer(door);
  return { endpoint: address, ...(await createQueues(address, alias, options)), stop };
}

async function createQueues(
  endpoint: string,
  urlFor: (queueUrl: string) => string,
  {
    visibilitySeconds,
    maxReceiveCount = 5,
    prefix = 'merchant-ops-local',
  }: Omit<QueuesOptions, 'endpoint' | 'door'>,
): Promise<Pick<Queues, 'queues' | 'relayDeadLetterUrl'>> {
  const client = new SQSClient({ endpoint });
  const create = async (name: string, attributes: Record<string, string> = {}): Promise<string> => {
    const input = { QueueName: `${prefix}-${name}`, Attributes: attributes };
    const { QueueUrl = '' } = await client.send(new CreateQueueCommand(input));
    return urlFor(QueueUrl);
  };
  try {
    const queues: Queues['queues'] = [];
    for (const name of queueNames) {
      const deadLetterUrl = await create(`${name}-dead-letters`);
      const deadLetterTargetArn = await arnOf(client, deadLetterUrl);
      const url = await create(name, {
        VisibilityTimeout: String(visibilitySeconds ?? routing[name].timeoutSeconds),
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }),
      });
      queues.push({ name, url, deadLetterUrl });
    }
    return { queues, relayDeadLetterUrl: await create('relay-dead-letters') };
  } finally {
    client.destroy();
  }
}

interface Server {
  address: string;
  /** Registers and returns a second URL for a queue. This URL contains the address of the server. */
  alias(queueUrl: string): string;
  stop(): Promise<void>;
}

/**
 * Starts fauxqs on the loopback interface, because its own start function listens on all interfaces. Its queue URLs
 * contain the host `sqs.<region>.localhost`, which some systems do not resolve. So each queue gets a second URL.
 */
async function startServer(door?: Door): Promise<Server> {
  const app = buildApp({ logger: false });
  if (door)
    app.addHook('onRequest', async ({ raw }, reply) => {
      const refusal = await door(raw);
      if (!refusal) return;
      reply.hijack();
      refuse(reply.raw, refusal);
    });
  const aliases = new Map<string, string>();
  app.addHook('preHandler', async ({ body }) => {
    const input = body as { QueueUrl?: string } | null | undefined;
    const queueUrl = aliases.get(input?.QueueUrl ?? '');
    if (input && queueUrl !== undefined) input.QueueUrl = queueUrl;
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    address,
    alias(queueUrl) {
      const alias = new URL(new URL(queueUrl).pathname, address).href;
      aliases.set(alias, queueUrl);
      return alias;
    },
    // fauxqs configures its server so that this call closes all connections.
    stop: () => app.close(),
  };
}

async function arnOf(client: SQSClient, url: string): Promise<string> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
  );
  return Attributes?.QueueArn ?? '';
}
