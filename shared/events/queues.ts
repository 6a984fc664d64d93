/** Every queue of the service. What feeds each and how it is consumed stands in events/routing.ts. */
export const queueNames = ['audit', 'cleanup', 'notifications', 'webhooks', 'deliveries', 'jobs'] as const;

export type QueueName = (typeof queueNames)[number];

/** The queues whose messages wake somebody who works a backlog. */
export const wakeQueues = ['deliveries', 'jobs'] as const satisfies readonly QueueName[];

export type WakeQueue = (typeof wakeQueues)[number];

export const isWakeQueue = (queue: string): queue is WakeQueue =>
  (wakeQueues as readonly string[]).includes(queue);

/** The environment variable that holds the URL of a queue. */
export const queueUrlVariable = (queue: QueueName): string => `QUEUE_URL_${queue.toUpperCase()}`;
