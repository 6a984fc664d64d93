import { afterAll } from 'vitest';
import { type WireRequest, watchWire } from './wire.ts';

/** How often something was sent to a queue, by its URL: as a request went out, and again as it was answered. */
const sends = new Map<unknown, number>();
/** How often another process may have sent something to any of them. */
let elsewhere = 0;

/** A number that is another one once something was sent to the queue, or may have been. */
export const sendsTo = (url: string | undefined): number => elsewhere + (sends.get(url) ?? 0);

/** Says that another process may have sent something, to any queue. */
export const sentElsewhere = (): void => {
  elsewhere += 1;
};

const countSend = ({ service, operation, input }: WireRequest): void => {
  if (service === 'sqs' && operation.startsWith('SendMessage'))
    sends.set(input.QueueUrl, (sends.get(input.QueueUrl) ?? 0) + 1);
};
afterAll(watchWire({ before: countSend, answered: countSend }));
