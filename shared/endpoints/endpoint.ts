import type { StoredAccount } from '../accounts/schema.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Static, TSchema } from '../schema.ts';
import type { DataKeys } from '../security/data-keys.ts';
import type { AuthenticatedPrincipal, Principal, SignedIn } from '../security/principal.ts';
import type { Item } from '../table/item.ts';
import type { Write } from '../table/operations.ts';
import type { CommitsParts } from './commits-parts.ts';
import { type Access, type Contract, changes, type Without } from './contract.ts';
import type { HttpResponse } from './response.ts';
import type { RunOnce } from './run-once.ts';

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

/** The additional fields that a request has before authentication, for each value of `access`. */
interface KnownBefore {
  public: object;
  session: object;
  account: InAccount;
  home: InAccount;
}

/** The additional fields after authentication, for each value of `access`. `W` is the type of the principal. */
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
  /** In milliseconds since 1970. After the deadline, failed calls are not retried. */
  deadline: number;
}

interface RequestFields<P, Q, B> extends ValidInput<P, Q, B> {
  /** When the request arrived, from `performance.now()`. Used to measure durations. */
  startedAt: number;
  /** If true, nothing is committed, and the response is a preview. */
  dryRun: boolean;
  runOnce: RunOnce;
  /**
   * Compares the read-only fields of the body with the unchanged record, as GET returns it to the caller. Every
   * PUT and PATCH of a record must call this function before it changes the record. If fields differ, the request
   * fails with `invalid_input` after `decide`, unless `decide` throws another error.
   */
  checkReadOnly(shown: () => unknown): Promise<void>;
  headers: Record<string, string | undefined>;
  path: string;
  ipAddress: string;
  api: ApiDescription;
  /**
   * Counts a request against the rate limit of a principal whose credentials are in the body, for example at
   * login. `counter` is the item that counts the calls of this minute. Throws `too_many_requests` above the
   * limit.
   */
  countCall(principal: AuthenticatedPrincipal, counter: Item | undefined): void;
}

/** The additional function of a request whose contract has `sensitive`. */
export interface WithDataKeys {
  /**
   * Decrypts the data keys of the account, once per request. If the account has no keys, creates keys and
   * stores them in a separate write. So call this function only after the checks that can reject the request.
   * In a dry run and in a GET, the new keys are not stored. Throws `busy` if KMS is busy.
   */
  dataKeys(): Promise<DataKeys>;
}

/** A validated request before authentication. */
export type RequestInput<P = unknown, Q = unknown, B = unknown, A extends Access = 'account'> = ValidInput<
  P,
  Q,
  B
> &
  KnownBefore[A];

/**
 * An authenticated and authorized request. The type parameters describe the contract: `A` is its access, and `S`, `K`
 * and `M` are true if the contract has `sensitive`, `applicant` or `commitsParts`.
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

/** A document that the build made and compressed. */
export interface BuiltDocument {
  /** A hash of the text and the headers. */
  digest: string;
  /** Headers of every response with the document, such as a content security policy. */
  headers: Record<string, string>;
  /** `br` and `gzip` are base64, as Lambda requires. */
  br: string;
  gzip: string;
}

/** All pages of the API reference, compressed together, because they share most of their text. */
export interface ReferenceArchive extends Pick<BuiltDocument, 'digest' | 'headers'> {
  /** `ReferencePages` as JSON, compressed with Brotli, in base64. */
  br: string;
}

/** Data that the build derives from all contracts. */
export interface ApiDescription {
  openapi: BuiltDocument;
  /** The pages of GET /docs. */
  reference: ReferenceArchive;
  routes: readonly { method: string; path: string }[];
}

/**
 * The result of `decide`: response, writes and events. Except with `CommitsParts`, `decide` itself writes
 * nothing, so that it can run again after a version conflict. Side effects that must happen only once run in
 * `request.runOnce`.
 */
export type Outcome<R> =
  | (Answer<R> & Without<'writes' | 'events' | 'httpResponse'>)
  | (Answer<R> & { writes: Write[]; events: EventDraft[] } & Without<'httpResponse'>)
  /** A complete HTTP response, for example with a body that is not JSON. */
  | ({ httpResponse: HttpResponse } & Without<'response' | 'headers' | 'writes' | 'events'>);

interface Answer<R> {
  response: R;
  headers?: Record<string, string>;
}

/**
 * The functions of an endpoint. `L` is the result of `read`. Both functions are declared as methods, because
 * TypeScript compares the parameters of methods bivariantly. With properties, an endpoint would not be
 * assignable to `Endpoint` with its default types.
 */
interface Behaviour<I, N, R, L> {
  /**
   * Loads data for `decide`. If the signature of the token is valid, `read` runs in parallel with
   * authentication, which saves a round trip. If `read` fails, only an authorized caller receives its error.
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

/** An endpoint: contract, reads and decision. */
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

/** Declares an endpoint. Throws at load time if its path or method does not allow `applicant` or `commitsParts`. */
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
    throw new Error(`${contract.path}: \`applicant\` needs {applicationId} in the path.`);
  if (contract.commitsParts && !(contract.method === 'POST' && changes(contract)))
    throw new Error(`${contract.path}: \`commitsParts\` needs a POST that changes something.`);
  return { contract, read, decide };
};
