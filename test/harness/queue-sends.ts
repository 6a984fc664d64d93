import { afterAll } from 'vitest';
import { type WireRequest, watchWire } from './wire.ts';

/** Returns the name of a queue, which is the last part of its URL. */
const nameIn = (url: unknown): string => String(url).split('/').at(-1) ?? '';

/** Counts each send twice, at the request and at the response, because the message arrives between these. */
const sends = new Map<string, number>();
/** Incremented whenever another process may have sent messages. */
let elsewhere = 0;

/** Returns a number that changes whenever a message may have been sent to the queue. */
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
