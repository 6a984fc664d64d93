import { parseEvent } from '../../../shared/events/read-event.ts';
import { messagesToRedrive } from '../../administration/dead-letter.ts';
import {
  type DeadLetterFile,
  deadLetterFiles,
  markRedriven,
  removeDeadLetterFile,
} from '../../administration/dead-letter-files.ts';
import type { DeadLetterSource } from '../../administration/dead-letter-sources.ts';

/** A dead letter as the console lists it. */
interface ListedLetter {
  source: DeadLetterSource;
  id: string;
  since: string;
  /**
   * True if the letter is marked for a redrive. The local service then sends the letter's messages and
   * deletes its file.
   */
  redriven: boolean;
  /** The event in the letter, if its body is an event. */
  event?: { kind: string; id: number; account: string };
  /** In bytes. */
  size: number;
}

export const listDeadLetters = (folder: string): ListedLetter[] => deadLetterFiles(folder).map(listed);

function listed({ source, id, since, redriven, body }: DeadLetterFile): ListedLetter {
  const event = parseEvent(body);
  return {
    source,
    id,
    since: since.toISOString(),
    redriven,
    ...(event && { event: { kind: event.kind, id: event.id, account: event.accountId } }),
    size: Buffer.byteLength(body),
  };
}

interface InspectedLetter extends ListedLetter {
  body: string;
  /** The queues that a redrive sends messages to, or the reason why the letter cannot be redriven. */
  redrive: { queues: string[] } | { error: string };
}

/** Returns undefined if the letter does not exist. */
export async function inspectDeadLetter(
  folder: string,
  source: string,
  id: string,
): Promise<InspectedLetter | undefined> {
  const letter = find(folder, source, id);
  return letter && { ...listed(letter), body: letter.body, redrive: await preview(letter) };
}

const find = (folder: string, source: string, id: string): DeadLetterFile | undefined =>
  deadLetterFiles(folder).find((letter) => letter.source === source && letter.id === id);

async function preview(letter: DeadLetterFile): Promise<InspectedLetter['redrive']> {
  try {
    const queues = new Set<string>();
    for await (const messages of messagesToRedrive(letter))
      for (const { queue } of messages) queues.add(queue);
    return { queues: [...queues] };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Marks a dead letter for a redrive by the running service, like `npm run ops -- dead-letters redrive`. Returns false if
 * the letter does not exist. Throws if the letter cannot be redriven.
 */
export async function redriveDeadLetter(folder: string, source: string, id: string): Promise<boolean> {
  const letter = find(folder, source, id);
  if (!letter) return false;
  const redrive = await preview(letter);
  if ('error' in redrive) throw new Error(redrive.error);
  if (!letter.redriven) markRedriven(folder, letter);
  return true;
}

/** Deletes a dead letter. Returns false if the letter does not exist. */
export function deleteDeadLetter(folder: string, source: string, id: string): boolean {
  const letter = find(folder, source, id);
  if (!letter) return false;
  removeDeadLetterFile(folder, letter);
  return true;
}
