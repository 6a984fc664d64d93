import type { StoredAccount } from '../accounts/schema.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Static, TSchema } from '../schema.ts';
import type { DataKeys } from '../security/data-keys.ts';
import type { AuthenticatedPrincipal, Principal, SignedIn } from '../security/principal.ts';
import type { Item } from '../table/item.ts';
import type { Write } from '../table/operations.ts';
import type { CommitsParts } from './commits-parts.ts';
import { type Access, type Contract, changes } from './contract.ts';
import type { HttpResponse } from './response.ts';
import type { RunOnce } from './run-once.ts';

/** The account a request is for. */
interface InAccount {
  account: AccountId;
}

interface Authenticated<W> {
  principal: W;
}

interface Authorized<W> extends InAccount, Authenticated<W> {
  /** The record of `account`. */
  accountRecord: StoredAccount;
}

/** What a request says of its account before authentication, by the access of its contract. */
interface KnownBefore {
  public: object;
  session: object;
  account: InAccount;
  home: InAccount;
}

/** What is known of who sent a request, `W`, after authentication, by the access of its contract. */
interface KnownAfter<W> {
  public: object;
  session: Authenticated<W>;
  account: Authorized<W>;
  home: Authorized<W>;
}

interface ValidInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  now: Date;
  /** Milliseconds since 1970: past this nothing is tried again. */
  deadline: number;
}

interface RequestFields<P, Q, B> extends ValidInput<P, Q, B> {
  /** By the clock that only runs forward, `performance.now()`, for durations. */
  startedAt: number;
  /** Nothing that is decided is committed: the caller asks what would happen. */
  dryRun: boolean;
  runOnce: RunOnce;
  /**
   * Compares the read-only fields of the body, if it has any, with the record as its GET shows it to the caller before the change.
   * Every PUT and PATCH of a record calls it before anything else. Throws `invalid_input`, which names the fields that differ.
   */
  checkReadOnly(shown: () => unknown): Promise<void>;
  headers: Record<string, string | undefined>;
  path: string;
  /** Where the request came from. */
  ipAddress: string;
  /** The description of the whole API, for a contract that asks for it. */
  api: ApiDescription;
  /**
   * Counts a call for a principal that only the body proved, on top of `counter`, the calls of this minute. Throws
   * `too_many_requests` past the limit, as for a principal by session.
   */
  countCall(principal: AuthenticatedPrincipal, counter: Item | undefined): void;
}

/** What a request of a contract with `sensitive` has beside. */
export interface WithDataKeys {
  /**
   * The keys of the account, opened by the first call and then the same for the whole request. An account without keys gets
   * them by a write of its own, so call this after the checks that can refuse the request. In a dry run and in a GET,
   * keys of an account without any live for this request only. Throws `busy` if KMS is busy.
   */
  dataKeys(): Promise<DataKeys>;
}

/** A validated request that is not authenticated yet. */
export type RequestInput<P = unknown, Q = unknown, B = unknown, A extends Access = 'account'> = ValidInput<
  P,
  Q,
  B
> &
  KnownBefore[A];

/**
 * A request that is authenticated and authorized, as far as the access `A` of its contract asks for it; `S` says
 * whether the contract is sensitive, `K` whether it lets applicants in, `M` whether it commits parts.
 */
export type Request<
  P = unknown,
  Q = unknown,
  B = unknown,
  A extends Access = 'account',
  S extends boolean = false,
  K extends boolean = false,
  M extends boolean = false,
> = RequestFields<P, Q, B> &
  KnownAfter<[K] extends [true] ? Principal : SignedIn>[A] &
  (S extends true ? WithDataKeys : object) &
  (M extends true ? CommitsParts : object);

/** A document that the build made, as it is sent: compressed once, never while somebody waits. */
export interface BuiltDocument {
  /** Differs with every content. */
  digest: string;
  /** What is sent with it in whatever encoding, such as the policy of a page. */
  headers: Record<string, string>;
  /** Both in base64, as Lambda sends bytes. */
  br: string;
  gzip: string;
}

/** What the build knows of all contracts together. */
export interface ApiDescription {
  openapi: BuiltDocument;
  /** The HTML of GET /docs. */
  referencePage: BuiltDocument;
  routes: readonly { method: string; path: string }[];
}

/**
 * What an endpoint decided: the response, the writes and the events. `decide` writes nothing itself but parts (`CommitsParts`), so
 * it can run again after a version conflict. Side effects that may happen only once go through `request.runOnce`.
 */
export type Outcome<R> =
  | {
      response: R;
      headers?: Record<string, string>;
      writes?: undefined;
      events?: undefined;
      httpResponse?: undefined;
    }
  | {
      response: R;
      headers?: Record<string, string>;
      writes: Write[];
      events: EventDraft[];
      httpResponse?: undefined;
    }
  /** The whole response, for one that is not made from a value. */
  | {
      httpResponse: HttpResponse;
      response?: undefined;
      headers?: undefined;
      writes?: undefined;
      events?: undefined;
    };

/**
 * What an endpoint does. `L` is what it reads. The functions are written as methods because TypeScript compares the parameters
 * of methods in both directions, so an endpoint of any types is assignable to `Endpoint`.
 */
interface Behaviour<I, N, R, L> {
  /**
   * Runs beside authentication for a token with our signature, so that both cost one round trip. An error it throws is
   * sent only to a principal that may make the request.
   */
  read?(input: I): Promise<L>;
  decide(request: N, loaded: NoInfer<L>): Outcome<R> | Promise<Outcome<R>>;
}

type BehaviourOf<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
  L,
  A extends Access,
  S extends boolean,
  K extends boolean,
  M extends boolean,
> = Behaviour<
  RequestInput<Static<P>, Static<Q>, Static<B>, A>,
  Request<Static<P>, Static<Q>, Static<B>, A, S, K, M>,
  Static<R>,
  L
>;

/** An endpoint: its contract, the reads that need only the request, and the decision. */
export interface Endpoint<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  L = unknown,
  A extends Access = Access,
  S extends boolean = boolean,
  K extends boolean = boolean,
  M extends boolean = boolean,
> extends BehaviourOf<P, Q, B, R, L, A, S, K, M> {
  contract: Contract<P, Q, B, R>;
}

/**
 * Declares an endpoint: its contract with `read` and `decide`. Throws at load if an applicant has no application to come for, or
 * parts no right to be committed.
 */
export const endpoint = <
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
  L = undefined,
  A extends Access = 'account',
  S extends boolean = false,
  K extends boolean = false,
  M extends boolean = false,
>({
  read,
  decide,
  ...contract
}: Contract<P, Q, B, R> & {
  access?: A;
  sensitive?: S;
  applicant?: K;
  commitsParts?: M;
} & BehaviourOf<P, Q, B, R, L, A, S, K, M>): Endpoint<P, Q, B, R, L, A, S, K, M> => {
  if (contract.applicant && !contract.path.includes('{applicationId}'))
    throw new Error(`${contract.path}: an applicant comes for the application that the path names`);
  if (contract.commitsParts && !(contract.method === 'POST' && changes(contract)))
    throw new Error(`${contract.path}: what commits parts is a POST that changes something`);
  return { contract, read, decide };
};
