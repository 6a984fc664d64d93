import type { AccountId } from '../id/account-id.ts';
import type {
  EventData,
  EventKind,
  Happening,
  HappeningData,
  SubjectType,
  SubjectTypeOf,
} from '../resources/registry.ts';
import type { Write } from '../table/operations.ts';

/** The author of an action: a user or an API key. */
export interface Actor {
  /** The email of a user, or the public id of an API key. */
  user: string;
  apiKey: string | null;
  /** The email of the administrator who acted as the user. Absent unless the user was impersonated. */
  impersonatedBy?: string;
}

/**
 * The subject of an event. Its fields contain the values after a change, or the last values before a deletion, so that
 * consumers do not need to read the record.
 */
export interface Subject<T extends SubjectType = SubjectType> {
  type: T;
  id: number | string;
  /** The record's version. */
  version?: number;
  /** A display name without sensitive data, at most 120 characters long. */
  label?: string;
  /** The id of the assigned user, in decimal digits. */
  assignedTo?: string;
  /** The record that the subject belongs to. Callers that may read this record may also read the subject. */
  parent?: { type: SubjectType; id: number | string };
}

/** The request that caused an event, without secrets. */
export interface RequestTrace {
  method: string;
  path: string;
  headers: Record<string, string>;
  ipAddress: string;
}

/** The fields of an event that an endpoint sets. The request pipeline adds the other fields of the envelope. */
export type EventDraft = {
  [K in EventKind]: {
    kind: K;
    subject: Subject<SubjectTypeOf<K>>;
    data: K extends 'no_event_name' ? HappeningData[Happening] : EventData[K];
    /** The account whose log gets the event. Default: the account of the request. */
    account?: AccountId;
    /** The actor, for requests without a principal. */
    actor?: Actor;
    /**
     * The name of a task of the service. The event then contains this task and the actor `system` in place of the
     * request. A log of another account must not contain the caller of the request.
     */
    task?: string;
  };
}[EventKind];

/** The writes and the events of a change. One transaction commits them. */
export interface Effects {
  writes: Write[];
  events: EventDraft[];
}

/**
 * The envelope of an event. The account's log stores this object, queue messages contain it, and audit entries are
 * derived from it. The `id` is the same in all three places.
 */
export interface Event {
  id: number;
  kind: EventKind;
  version: 1;
  accountId: AccountId;
  actor: Actor;
  subject: Subject;
  data: EventData[EventKind];
  request: RequestTrace;
  occurredAt: string;
  /** The captured bodies of the request, if the account captures bodies: their id, and which bodies are stored. */
  bodies?: { id: number; request?: true; response?: true };
}
