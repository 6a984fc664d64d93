import type { Account } from '../accounts/schema.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { AccountId } from '../id/account-id.ts';
import type { Static, TSchema } from '../schema.ts';
import type { AuthenticatedPrincipal, Principal } from '../security/principal.ts';
import type { Item } from '../table/item.ts';
import type { Write } from '../table/operations.ts';
import type { BuiltDocument } from './built-document.ts';
import type { Contract } from './contract.ts';
import type { HttpResponse } from './response.ts';

/** A request whose form is right. Whether its caller may make it is not known yet. */
export interface RequestInput<P = unknown, Q = unknown, B = unknown> {
  params: P;
  query: Q;
  body: B;
  /** The account the request is for. */
  account: AccountId;
  now: Date;
  /** Milliseconds since 1970: past this nothing is tried again. */
  deadline: number;
}

/** A request that may be made. */
export interface Request<P = unknown, Q = unknown, B = unknown> extends RequestInput<P, Q, B> {
  principal: Principal;
  /** The record of `account`. */
  accountRecord: Account;
  headers: Record<string, string | undefined>;
  path: string;
  /** Where the request came from. */
  ipAddress: string;
  /** The description of the whole API, for a contract that asks for it. */
  api: ApiDescription;
  /**
   * Counts a call of somebody whom only the body proved, beside what `counter` says of this minute. Past the limit
   * refuses with `too_many_requests`, as for a caller by session.
   */
  countCall(principal: AuthenticatedPrincipal, counter: Item | undefined): void;
}

/** What the build knows of all contracts together. */
export interface ApiDescription {
  openapi: BuiltDocument;
  /** The HTML of GET /docs. */
  referencePage: BuiltDocument;
  routes: readonly { method: string; path: string }[];
}

/**
 * What a handler decided: the answer, and with it what to write and what to announce. It writes nothing itself,
 * so that a lost race can simply be decided again. What can be taken only once, `once` has taken before.
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

/** An endpoint: its contract, the reads that need only the request, what happens once, and the decision. */
export interface Endpoint<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  L = unknown,
  T = unknown,
> {
  contract: Contract<P, Q, B, R>;
  /** How many calls a request counts as against its caller's limit. Left out: one. */
  weigh?: (query: Static<Q>) => number;
  /** `read` reads many records: beside authentication only where the same session was proved a moment ago. */
  wide?: boolean;
  /**
   * Runs beside authentication, so that both cost one round trip, for a caller whose token we signed. A refusal in it
   * waits for its turn.
   */
  read?: (input: RequestInput<Static<P>, Static<Q>, Static<B>>) => Promise<L>;
  /**
   * What must happen once however often a lost race is decided again: a rotation's turn is taken, a try is counted.
   * Runs after the first `read`, for a request that may be made and whose answer is not stored already. What it
   * returns is handed to every `decide`.
   */
  once?: (request: Request<Static<P>, Static<Q>, Static<B>>, loaded: L) => Promise<T>;
  /**
   * Stands for what `once` will return. `decide` is asked with it first: what it refuses, and an If-Match that does
   * not hold, is refused before anything is taken. (As T it would keep TypeScript from inferring L and T.)
   */
  provisional?: object;
  decide: (
    request: Request<Static<P>, Static<Q>, Static<B>>,
    loaded: L,
    taken: T,
  ) => Outcome<Static<R>> | Promise<Outcome<Static<R>>>;
}

/** An endpoint whose types nobody needs any more. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters are contravariant; `unknown` would accept no endpoint
export type AnyEndpoint = Endpoint<any, any, any, any, any, any>;

interface Behaviour<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema, L, T> {
  weigh?: (query: Static<Q>) => number;
  wide?: boolean;
  read?: (input: RequestInput<Static<P>, Static<Q>, Static<B>>) => Promise<L>;
  once?: (request: Request<Static<P>, Static<Q>, Static<B>>, loaded: NoInfer<L>) => Promise<T>;
  provisional?: object;
  decide: (
    request: Request<Static<P>, Static<Q>, Static<B>>,
    loaded: NoInfer<L>,
    taken: NoInfer<T>,
  ) => Outcome<Static<R>> | Promise<Outcome<Static<R>>>;
}

/** Declares an endpoint: what it is, then what it does. */
export const endpoint = <
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
  L = undefined,
  T = undefined,
>(
  contract: Contract<P, Q, B, R>,
  behaviour: Behaviour<P, Q, B, R, L, T>,
): Endpoint<P, Q, B, R, L, T> => ({ contract, ...behaviour });
