import { afterAll } from 'vitest';
import { type WireRequest, watchWire } from './wire.ts';

/** A queue has several URLs, which end with its name. */
const nameIn = (url: unknown): string => String(url).split('/').at(-1) ?? '';

/** How often something was sent to a queue, by its name: as a request went out, and again as it was answered. */
const sends = new Map<string, number>();
/** How often another process may have sent something to any of them. */
let elsewhere = 0;

/** A number that is another one once something was sent to the queue, or may have been. */
export const sendsTo = (url: string | undefined): number => elsewhere + (sends.get(nameIn(url)) ?? 0);

/** Says that another process may have sent something, to any queue. */
export const sentElsewhere = (): void => {
  elsewhere += 1;
};

const countSend = ({ service, operation, input }: WireRequest): void => {
  if (service !== 'sqs' || !operation.startsWith('SendMessage')) return;
  const name = nameIn(input.QueueUrl);
  sends.set(name, (sends.get(name) ?? 0) + 1);
};
afterAll(watchWire({ before: countSend, answered: countSend }));
