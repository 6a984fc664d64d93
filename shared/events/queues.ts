/** The queues that have consumers. `events/routing.ts` defines the events and the consumer's settings of each queue. */
export const queueNames = [
  'audit',
  'search',
  'cleanup',
  'notifications',
  'webhooks',
  'incoming',
  'deliveries',
  'partner',
  'messages',
  'outgoing',
  'jobs',
  'residuals',
  'sealing',
] as const;

export type QueueName = (typeof queueNames)[number];

/** The queues that receive trigger messages. Their consumers run work queues. */
export const triggerQueues = [
  'deliveries',
  'partner',
  'messages',
  'outgoing',
  'jobs',
  'residuals',
  'sealing',
] as const satisfies readonly QueueName[];

export type TriggerQueue = (typeof triggerQueues)[number];

export const isTriggerQueue = (queue: string): queue is TriggerQueue =>
  (triggerQueues as readonly string[]).includes(queue);

export const queueUrlVariable = (queue: QueueName): string => `QUEUE_URL_${queue.toUpperCase()}`;
