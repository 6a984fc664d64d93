import type { AccountId } from '../id/account-id.ts';
import type { EventData } from './data.ts';

/** A kind that something in the service emits, so that the type of its data is known. */
export type EmittedKind = keyof EventData;

/** Who did something, as events and audit entries name it. */
export interface Actor {
  /** A user's email; where an API key acts, the key's public id. */
  user: string;
  apiKey: string | null;
}

/** What an event is about; `version` is the record's version after the change. */
export interface Subject {
  type: string;
  id: number | string;
  version?: number;
  /** The decimal id of the user who has the record, as of the change. */
  assignedTo?: string;
}

/** The request that caused an event, without secrets. */
export interface RequestTrace {
  method: string;
  path: string;
  headers: Record<string, string>;
  ipAddress: string;
}

/** An event as an endpoint emits it; the request supplies the rest of the envelope. */
export type EventDraft = {
  [K in EmittedKind]: {
    kind: K;
    subject: Subject;
    data: EventData[K];
    /** The account whose log it enters, where that is not the account of the request. */
    account?: AccountId;
    /** Who did it, where the request has no principal. */
    actor?: Actor;
  };
}[EmittedKind];

/**
 * The envelope of an event: an item in the table's log, the body of every queue message, the source of an audit
 * entry. `id` is minted once and identifies it everywhere.
 */
export interface Event {
  id: number;
  kind: EmittedKind;
  /** The version of this envelope's shape. */
  version: 1;
  accountId: AccountId;
  actor: Actor;
  subject: Subject;
  data: EventData[EmittedKind];
  request: RequestTrace;
  occurredAt: string;
}
