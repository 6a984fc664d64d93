import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { StoredAccount } from '../accounts/schema.ts';
import type { Without } from '../endpoints/contract.ts';
import type { ApiDescription, Endpoint, Outcome } from '../endpoints/endpoint.ts';
import type { HttpResponse } from '../endpoints/response.ts';
import type { ApiError } from '../errors.ts';
import type { Effects, Event } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Log } from '../log.ts';
import type { Principal } from '../security/principal.ts';
import type { ProofToken } from '../security/tokens.ts';
import type { Item } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import type { Write } from '../table/operations.ts';

/** The fields that an API's authorizer adds to requests from the stage's front: CloudFront, or the API that clients call. */
export interface OriginProof {
  throughFront: true;
}

/** The event of API Gateway. `authorizer` is absent if the client called this API directly. */
export type HttpEvent = APIGatewayProxyEventV2 & {
  requestContext: { authorizer?: { lambda?: Partial<OriginProof> | null } };
};

/** The first step: the event, and the values that all later steps need. */
export interface Received {
  event: HttpEvent;
  requestId: string;
  /** When the request arrived. */
  now: Date;
  clock: () => Date;
  /** The value of `performance.now()` when the request arrived. Used to measure durations. */
  startedAt: number;
  /** Milliseconds since 1970. After this time, nothing is retried. */
  deadline: number;
  /** The client's IP address, also behind CloudFront. */
  ipAddress: string;
  headers: Record<string, string | undefined>;
  log: Log;
  api: ApiDescription;
  /** Writes that end before the response is sent; see `runInBackground`. */
  backgroundWrites: Promise<unknown>[];
  progress: Progress;
}

/**
 * The values that the middlewares need for the access log, the headers and `system_error`, also if a step fails. Steps
 * only write these values.
 */
interface Progress {
  dryRun: boolean;
  caller: KnownCaller;
  /** The caller's calls in this minute. Absent if the request was not counted. */
  rateLimit?: RateLimit;
}

export interface RateLimit {
  limit: number;
  /**
   * The number of calls in this minute that this instance knows of, including this call: the stored total
   * that it read, and the calls that it counted since.
   */
  calls: number;
  /** The seconds until the minute ends. */
  secondsLeft: number;
}

/** Valid query and body. */
export interface Input {
  query: unknown;
  body: unknown;
  /** The read-only fields of the body. They are compared with the record before the change. */
  readOnly: Record<string, unknown>;
}

/** The second step. Only an authorized caller receives the error of an invalid request. */
export interface Validated extends Received {
  /** The parameters of the path. Not validated if `read` throws `not_found`. */
  params: unknown;
  /** If true, nothing is committed. */
  dryRun: boolean;
  input: Input | ApiError;
  /** The Idempotency-Key, if the endpoint uses it. */
  idempotencyKey: string | undefined;
  /** The endpoint's `read`. Throws `not_found` if the id in the path is malformed, as for a missing record. */
  read: NonNullable<Endpoint['read']>;
}

interface Nobody extends Without<'account' | 'principal' | 'accountRecord'> {}

interface InSession extends Without<'account' | 'accountRecord'> {
  principal: Principal;
}

interface InAccount {
  account: AccountId;
  principal: Principal;
  accountRecord: StoredAccount;
}

/** The caller. The contract's `access` determines whether the request has a principal and an account. */
export type KnownCaller = Nobody | InSession | InAccount;

/** A valid single-use token that a request has sent, and the key of the marker that exists after its use. */
export interface PresentedProof {
  token: ProofToken;
  marker: Key;
  isUsed: boolean;
}

/** The third step: an accepted caller and a valid request. */
export type Authorized = Omit<Validated, 'input'> &
  Input &
  KnownCaller & {
    /** The result of `read`, if `read` was started in parallel with authentication. */
    loading?: Promise<unknown>;
    /** The item of the account's data keys, if it was read with the principal. */
    dataKeysRead?: { item: Item | undefined };
    idempotency?: IdempotentRequest;
    /** The single-use token that the request has sent as a proof. */
    presented?: PresentedProof;
    /** The writes that use up this token. */
    proofWrites?: Write[];
    /** Present if the account captures bodies and the endpoint changes records. */
    capture?: BodyCapture;
  };

/** Stores the bodies of a request with its events. */
export interface BodyCapture {
  /** Adds the reference to the stored bodies to the events of the request's account. */
  referTo(events: Event[]): Event[];
  /** Returns the writes that let the records of the events refer to the stored bodies. */
  references(events: readonly Event[]): Write[];
  /** Stores only the request body, once, before the parts of a request are committed. */
  storeRequest(): Promise<void>;
  /**
   * Returns the writes that store both bodies of a request with these events, and the references to them. If the request body
   * is stored already, stores both bodies at once.
   */
  write(httpResponse: HttpResponse, events: readonly Event[]): Promise<Write[]>;
}

/** A POST with an Idempotency-Key, and the response stored for this key. */
export interface IdempotentRequest {
  key: Key;
  stored?: Item;
}

/** The fourth step: the outcome of `decide`, whose events and conditions were checked. */
export interface Decided {
  outcome: Outcome<unknown>;
  /** The writes and events of the parts that were committed during `decide`. */
  done: Effects;
}

/** A middy request in this pipeline. `received` is absent if the request failed before the first step ended. */
export interface MiddyRequest {
  event: HttpEvent;
  context: Context & { received?: Received };
  response: HttpResponse | null | undefined;
  error: Error | null | undefined;
}
