import type { StoredAccount } from '../accounts/schema.ts';
import type { Effects } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import type { EventKind, ViewedName } from '../resources/registry.ts';
import type { Static, TSchema } from '../schema.ts';
import type { DataKeys } from '../security/data-keys.ts';
import type { AuthenticatedPrincipal, Principal, SignedIn } from '../security/principal.ts';
import type { Item } from '../table/item.ts';
import type { CommitsParts } from './commits-parts.ts';
import { type Access, type Contract, changes, type Without } from './contract.ts';
import type { MatchCount } from './count-list.ts';
import type { RequireReach } from './reached.ts';
import type { HttpResponse } from './response.ts';
import type { RunOnce } from './run-once.ts';
import type { Shape } from './shape.ts';
import type { Validate } from './validation.ts';

interface InAccount {
  account: AccountId;
  /** Throws unless the caller reaches a record of a type in the contract's `reach`. Call it before further reads. */
  requireReach: RequireReach;
}

interface WithPrincipal<W> {
  principal: W;
}

interface WithAccount<W> extends InAccount, WithPrincipal<W> {
  /** The record of `account`. */
  accountRecord: StoredAccount;
}

type SchemaField = 'params' | 'query' | 'body' | 'response';

/** The fields of a contract that determine the types of its requests and its response. */
type TypedField =
  | SchemaField
  | 'access'
  | 'signedBody'
  | 'sensitive'
  | 'applicant'
  | 'commitsParts'
  | 'runsLists';

/** Every contract has this type. */
export interface AnyContract {
  response?: TSchema;
  access?: Access;
}

type AccessOf<C> = C extends { access?: infer A extends Access } ? A : 'account';

/** The type of the values that a schema of the contract describes; unknown if the contract has no such schema. */
export type StaticOf<C, N extends SchemaField> = C extends {
  readonly [K in N]?: infer S extends TSchema;
}
  ? Static<S>
  : unknown;

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
  session: WithPrincipal<W>;
  account: WithAccount<W>;
  home: WithAccount<W>;
}

type ValidInput<C> = { [N in 'params' | 'query' | 'body']: StaticOf<C, N> };

interface InputFields {
  now: Date;
  /** In milliseconds since 1970. After the deadline, failed calls are not retried. */
  deadline: number;
}

interface RequestFields extends InputFields {
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

/** The additional function of a request whose contract has `signedBody`. */
interface WithRawBody {
  /** Returns the bytes of the body, as the caller signed them. */
  rawBody(): Buffer;
}

/** A list whose records other endpoints can list and count. */
export interface Counting {
  /**
   * Returns the response of the list. An empty page has the filters of which no value is the id of an existing record,
   * which the list itself rejects.
   */
  page(request: Request): Promise<ListResponse & { unknown: readonly string[] }>;
  /** Counts the records that match a request to the list, in one round trip. */
  count(request: Request): Promise<MatchCount>;
}

/** The body and the headers of a list's response. */
export interface ListResponse<R = unknown> {
  response: R;
  headers?: Record<string, string>;
}

/** A list that another endpoint runs, with the compiled parts of its contract. */
export interface RunnableList {
  endpoint: Endpoint & Counting;
  query: Validate;
  response: Shape;
}

/** The additional field of a request whose contract has `runsLists`. */
export interface WithLists {
  lists: Readonly<Record<ViewedName, RunnableList>>;
}

/** A validated request before authentication. `C` is the type of the contract, or of the fields that matter. */
export type RequestInput<C = { access: 'account' }> = ValidInput<C> & InputFields & KnownBefore[AccessOf<C>];

/** An authenticated and authorized request. `C` is the type of the contract, or of the fields that matter. */
export type Request<C = { access: 'account' }> = ValidInput<C> &
  RequestFields &
  KnownAfter<C extends { applicant: boolean } ? Principal : SignedIn>[AccessOf<C>] &
  (C extends { signedBody: NonNullable<Contract['signedBody']> } ? WithRawBody : object) &
  (C extends { sensitive: true } ? WithDataKeys : object) &
  (C extends { commitsParts: true } ? CommitsParts : object) &
  (C extends { runsLists: true } ? WithLists : object);

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
  /** Partner contract v1. */
  partnerContract: BuiltDocument;
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
  | (Answer<R> & Effects & Without<'httpResponse'>)
  /** A complete HTTP response, for example with a body that is not JSON. */
  | ({ httpResponse: HttpResponse } & Without<'response' | 'headers' | 'writes' | 'events'>);

interface Answer<R> {
  response: R;
  headers?: Record<string, string>;
}

/**
 * The functions of an endpoint. `C` is the type of its contract, and `L` the result of `read`. The functions are
 * declared as methods, because TypeScript compares the parameters of methods bivariantly. With properties, an endpoint
 * would not be assignable to `Endpoint` with its default types.
 */
interface Behaviour<C, L> {
  /** Replaces `check` as the validation of the body. Returns the body, or throws `invalid_input`. */
  checkBody?(validate: Validate | undefined, given: unknown): unknown;
  /**
   * Loads data for `decide`. If the signature of the token is valid, `read` runs in parallel with
   * authentication, which saves a round trip. If `read` fails, only an authorized caller receives its error.
   */
  read?(input: RequestInput<C>): Promise<L>;
  decide(
    request: Request<C>,
    loaded: NoInfer<L>,
  ): Outcome<StaticOf<C, 'response'>> | Promise<Outcome<StaticOf<C, 'response'>>>;
}

/** An endpoint: contract, reads and decision. */
export interface Endpoint<C = AnyContract, L = unknown> extends Behaviour<C, L> {
  contract: Contract;
}

/**
 * Declares an endpoint. Throws at load time if its path or method does not allow `applicant` or `commitsParts`. TypeScript
 * infers `L` from `read`.
 */
export const endpoint = <const C, L>({
  checkBody,
  read,
  decide,
  ...declared
}: Contract & { [N in keyof C & TypedField]?: C[N] } & Behaviour<C, L>): Endpoint<C, L> => {
  const contract = { ...declared, ...kindsOf(declared) };
  if (contract.applicant && !contract.path.includes('{applicationId}'))
    throw new Error(`${contract.path}: \`applicant\` needs {applicationId} in the path.`);
  if (contract.commitsParts && !changes(contract))
    throw new Error(`${contract.path}: \`commitsParts\` needs an endpoint that changes something.`);
  return { contract, checkBody, read, decide };
};

/** Adds the kind of the contract's happenings, which contracts do not list. */
const kindsOf = ({ emits = [], happenings }: Contract): Pick<Contract, 'emits'> =>
  happenings ? { emits: [...new Set<EventKind>([...emits, 'no_event_name'])] } : {};
