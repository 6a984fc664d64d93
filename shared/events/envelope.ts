import type { AccountId } from '../id/account-id.ts';
import type { EmittedKind, EventData, SubjectType, SubjectTypeOf } from './catalogue.ts';

/** Who did something, as events and audit entries name it. */
export interface Actor {
  /** A user's email; where an API key acts, the key's public id. */
  user: string;
  apiKey: string | null;
}

/**
 * What an event is about, as it is after the change, or was before it was deleted: so much that whoever hears of the event
 * need not read a record that may be gone.
 */
export interface Subject<T extends SubjectType = SubjectType> {
  type: T;
  id: number | string;
  /** The record's version. */
  version?: number;
  /** What people call it, in at most 120 characters. Never anything sensitive. */
  label?: string;
  /** The id of the user who has it, in decimal digits. */
  assignedTo?: string;
  /** The record that it hangs on: whoever may read that may read this. */
  parent?: { type: SubjectType; id: number | string };
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
    subject: Subject<SubjectTypeOf<K>>;
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
