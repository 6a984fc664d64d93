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

export type HttpEvent = APIGatewayProxyEventV2;

/** What the middlewares know of one request; each adds what it found out. */
export interface RequestContext {
  requestId: string;
  /** When the request arrived. */
  now: Date;
  clock: () => Date;
  /** By the clock that only runs forward, for durations. */
  startedAt: number;
  /** Milliseconds since 1970: past this nothing is tried again. */
  deadline: number;
  /** How often the commit was tried. */
  attempts: number;
  headers: Record<string, string | undefined>;
  params: unknown;
  query: unknown;
  body: unknown;
  /** The read-only fields that came with the body. They are compared with the record before it is changed. */
  readOnly?: Record<string, unknown>;
  /** Path, query and body as they came: what an idempotent request is recognised by. */
  fingerprintInput: string;
  /** What is wrong with path, query or body; thrown only for a principal that may make the request. */
  inputError?: ApiError;
  /** The path can be no record's: after authorization it is a 404, as for a record that does not exist. */
  pathMatchesNoRecord?: boolean;
  /** The request asks what would happen: nothing that is decided is committed. */
  dryRun: boolean;
  account?: AccountId;
  principal?: Principal;
  accountRecord?: StoredAccount;
  /** The item of the account's data keys, where it was read along. */
  dataKeysRead?: { item: Item | undefined };
  reads: EndpointReads;
  idempotency?: IdempotentRequest;
  /** Writes that run beside the request and are waited for before the response is sent; see `runInBackground`. */
  backgroundWrites: Promise<unknown>[];
  log: Log;
  api: ApiDescription;
}

/** A POST that named an Idempotency-Key, and what is stored under it. */
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
