import type { EventKind, Happening } from '../../resources/registry.ts';
import { digits } from '../../table/keys.ts';

/** The content of a delivery in its webhook's work queue. */
export interface DeliveryContent {
  eventId: number;
  kind: EventKind;
  happening?: Happening;
  /**
   * True for a delivery of a child account: before each attempt, the permissions of the account are read. They can
   * change while the delivery waits. The permissions of other accounts never change, so they are not read.
   */
  limited?: true;
}

/** The recorded details of an attempt, without its number and time. */
export interface DeliveryAttempt {
  status?: number;
  durationMs: number;
  error?: string;
  address?: string;
  /** The first 2 KB of the response. */
  response?: string;
  /** SHA-256 of the bytes that were sent, in hexadecimal digits. */
  sha256?: string;
}

/** The id of an event's delivery. A webhook has at most one delivery per event. */
export const deliveryId = (eventId: number): string => digits(eventId);
