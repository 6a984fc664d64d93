import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { routing } from '../../events/routing.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { CannotStart, isUnreachable } from './cannot-start.ts';

/** A queue and where its messages go after too many attempts. */
export interface Queue {
  name: string;
  url: string;
  deadLetterUrl: string;
}

export interface Queues {
  endpoint: string;
  queues: (Queue & { name: QueueName })[];
  /** Takes what the relay cannot read or send. */
  relayDeadLetterUrl: string;
  stop(): Promise<void>;
}

interface QueuesOptions {
  /** An SQS elsewhere; without it one runs in this process, in memory, on a loopback port. */
  endpoint?: string;
  /** Seconds until a message that was not deleted comes again. Left out: as long as its consumer may take. */
  visibilitySeconds?: number;
  /** Attempts before a message is dead. */
  maxReceiveCount?: number;
  /** Set before the names, so that two programs can share an SQS elsewhere. */
  prefix?: string;
}

/**
 * Makes a queue and a dead-letter queue for each name in events/routing.ts, and one for the relay. Throws
 * CannotStart where an SQS elsewhere cannot be reached.
 */
export async function startQueues({ endpoint, ...shape }: QueuesOptions = {}): Promise<Queues> {
  if (endpoint !== undefined) {
    const made = await makeQueues(endpoint, (url) => url, shape).catch((error) => {
      throw isUnreachable(error) ? new CannotStart(`No SQS answers at ${endpoint}.`) : error;
    });
    return { endpoint, ...made, stop: async () => {} };
  }
  const { address, alias, stop } = await startServer();
  return { endpoint: address, ...(await makeQueues(address, alias, shape)), stop };
}

async function makeQueues(
  endpoint: string,
  urlFor: (queueUrl: string) => string,
  { visibilitySeconds, maxReceiveCount = 5, prefix = 'merchant-ops-local' }: Omit<QueuesOptions, 'endpoint'>,
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
  /** Gives a queue a URL at the server's own address, and returns it. */
  alias(queueUrl: string): string;
  stop(): Promise<void>;
}

/**
 * fauxqs as the runner needs it. Its own start listens on every interface, so its application is put on loopback
 * here. Its queue URLs are below `sqs.<region>.localhost`, which the SDK would connect to and not every system
 * resolves, so queues get a second URL.
 */
async function startServer(): Promise<Server> {
  const app = buildApp({ logger: false });
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
    async stop() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

async function arnOf(client: SQSClient, url: string): Promise<string> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
  );
  return Attributes?.QueueArn ?? '';
}
