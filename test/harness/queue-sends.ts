import { afterAll } from 'vitest';
import { type WireRequest, watchWire } from './wire.ts';

/** The name of a queue, which ends each of its URLs. */
const nameIn = (url: unknown): string => String(url).split('/').at(-1) ?? '';

/** The number of sends to each queue. A send counts at its request and again at its response. */
const sends = new Map<string, number>();
/** The number of times at which another process may have sent messages. */
let elsewhere = 0;

/** A number that changes after each possible send to the queue. */
export const sendsTo = (url: string | undefined): number => elsewhere + (sends.get(nameIn(url)) ?? 0);

/** Records that another process may have sent messages to any queue. */
export const sentElsewhere = (): void => {
  elsewhere += 1;
};

const countSend = ({ service, operation, input }: WireRequest): void => {
  if (service !== 'sqs' || !operation.startsWith('SendMessage')) return;
  const name = nameIn(input.QueueUrl);
  sends.set(name, (sends.get(name) ?? 0) + 1);
};
afterAll(watchWire({ before: countSend, answered: countSend }));
