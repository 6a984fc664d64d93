import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { StoredAccount } from '../accounts/schema.ts';
import type { ApiDescription } from '../endpoints/endpoint.ts';
import type { HttpResponse } from '../endpoints/response.ts';
import type { ApiError } from '../errors.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Log } from '../log.ts';
import type { Principal } from '../security/principal.ts';
import type { Item } from '../table/item.ts';
import type { EndpointReads } from './endpoint-reads.ts';

/** The fields that the gateway's authorizer adds to requests that come from CloudFront. */
export interface OriginProof {
  throughCloudFront: true;
}

/** The event of API Gateway. `authorizer` is present only in stages with CloudFront. */
export type HttpEvent = APIGatewayProxyEventV2 & {
  requestContext: { authorizer?: { lambda?: Partial<OriginProof> | null } };
};

/** The state of one request, shared by the middlewares. */
export interface RequestContext {
  requestId: string;
  /** When the request arrived. */
  now: Date;
  clock: () => Date;
  /** The value of `performance.now()` when the request arrived. Used to measure durations. */
  startedAt: number;
  /** Milliseconds since 1970. After this time, nothing is retried. */
  deadline: number;
  /** The number of commit attempts. */
  attempts: number;
  /** The client's IP address, also behind CloudFront. */
  ipAddress: string;
  headers: Record<string, string | undefined>;
  params: unknown;
  query: unknown;
  body: unknown;
  /** The read-only fields of the body. They are compared with the record before the change. */
  readOnly?: Record<string, unknown>;
  /** Path, query and body as sent. They identify an idempotent request. */
  fingerprintInput: string;
  /** The validation error of path, query or body. Thrown only for authorized callers. */
  inputError?: ApiError;
  /** True if the id in the path is malformed. After authorization, the response is 404. */
  pathMatchesNoRecord?: boolean;
  /** If true, nothing is committed. */
  dryRun: boolean;
  account?: AccountId;
  principal?: Principal;
  accountRecord?: StoredAccount;
  /** The item of the account's data keys, if it was read with the principal. */
  dataKeysRead?: { item: Item | undefined };
  reads: EndpointReads;
  idempotency?: IdempotentRequest;
  /** The caller's calls in this minute. Absent if the request was not counted. */
  rateLimit?: RateLimit;
  /** Writes that end before the response is sent; see `runInBackground`. */
  backgroundWrites: Promise<unknown>[];
  log: Log;
  api: ApiDescription;
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

/** A POST with an Idempotency-Key, and the response stored for this key. */
export interface IdempotentRequest {
  key: { pk: string; sk: string };
  stored?: Item;
}

export interface MiddyContext extends Context {
  requestContext: RequestContext;
}

/** A middy request in this pipeline. */
export interface MiddyRequest {
  event: HttpEvent;
  context: MiddyContext;
  response: HttpResponse | null | undefined;
  error: Error | null | undefined;
}
