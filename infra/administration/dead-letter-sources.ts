import { queueNames } from '../../shared/events/queues.ts';

/** The origins of dead letters: the queues with consumers, and the relay. */
export const deadLetterSources = [...queueNames, 'relay'] as const;

export type DeadLetterSource = (typeof deadLetterSources)[number];
