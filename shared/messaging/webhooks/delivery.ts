import type { EventKind } from '../../events/kinds.ts';
import { digits } from '../../table/keys.ts';

/** What the work item of a delivery holds in its webhook's work queue. */
export interface DeliveryContent {
  eventId: number;
  kind: EventKind;
}

/** What is on record of an attempt, beside its number and its instant. */
export interface DeliveryAttempt {
  /** Of the response; absent: there was none. */
  status?: number;
  durationMs: number;
  /** Why it was no success. */
  error?: string;
  /** The address that the connection went to. */
  address?: string;
  /** The first 2 KB of the response. */
  response?: string;
  /** SHA-256 of the bytes that were sent, in hexadecimal digits. */
  sha256?: string;
}

/** The id of an event's delivery in the work queue of a webhook: there is one for each, whoever opens it. */
export const deliveryId = (eventId: number): string => digits(eventId);
