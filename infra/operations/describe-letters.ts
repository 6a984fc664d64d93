import { parseEvent } from '../../shared/events/read-event.ts';
import type { Depth } from '../administration/count-messages.ts';
import type { DeadLetter } from '../administration/dead-letter.ts';
import type { DeadLetterSource } from '../administration/dead-letter-sources.ts';
import { textTable } from './print.ts';

/** The messages in a queue and in its dead-letter queue. */
export interface QueueState {
  queue: DeadLetterSource;
  /**
   * The messages in the queue. Undefined if the service does not run. Always undefined for the relay, which
   * has no queue.
   */
  waiting?: Depth;
  deadLetters: Depth;
  ids?: readonly string[];
}

export function describeQueues(states: readonly QueueState[]): string[] {
  const table = textTable([
    ['queue', 'messages', 'oldest', 'dead letters', 'oldest'],
    ...states.map(({ queue, waiting, deadLetters }) => [
      queue,
      String(waiting?.messages ?? '-'),
      ageOf(waiting),
      String(deadLetters.messages),
      ageOf(deadLetters),
    ]),
  ]);
  const letters = states.flatMap(({ queue, ids = [] }) => ids.map((id) => `${queue} ${id}`));
  return [...table, ...(letters.length > 0 ? ['', ...letters] : [])];
}

function ageOf(depth: Depth | undefined): string {
  const seconds = depth?.oldestSeconds;
  if (seconds === undefined) return '-';
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

export function describeLetter({ source, id, since, body }: DeadLetter): string {
  const event = parseEvent(body);
  const what = event ? `, ${event.kind} ${event.id} of ${event.accountId}` : '';
  return `${source} ${id}, since ${since.toISOString()}${what}`;
}
