import type { Method, WithId } from '../administration/send-requests.ts';

/** For example `POST /leads/{leadId}/assign`. */
export type Route = `${Method} /${string}`;

export type Params = Readonly<Record<string, string | number>>;

/** The credentials of a user or of an API key. An empty object is a caller without credentials. */
export type CallerCredentials =
  | { email: string; password: string }
  | { apiKey: string; apiSecret: string }
  | object;

/** The input of a request. */
export interface SceneInput {
  params?: Params;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** The secret with which the body is signed, as in Standard Webhooks. */
  signWith?: string;
}

/** A request that succeeds. */
export interface SceneRequest extends SceneInput {
  /** The caller of the request. Default: the caller that prepared it. */
  by?: Caller;
}

/** The parts of a request that the route and the schema of its body do not determine. */
interface Parts extends SceneRequest {
  /** Fields that are added to the example of the body. `body` replaces the example. */
  fields?: object;
}

/** Prepares a request. `params` names new records in the path of the route. */
export type Scene = Parts | ((caller: Caller, params: Params) => Parts | Promise<Parts>);

/** How routes are called, and how the records of some paths are created. */
export interface Scenes {
  requests: Readonly<Record<string, Scene>>;
  records: Readonly<Record<string, (caller: Caller) => Params | Promise<Params>>>;
}

/** The part of an endpoint's contract that a request needs. */
export interface RequestTerms {
  /** The example of the body. Undefined if the route has no body. */
  example?: unknown;
  /** True if a successful response has the status 201. */
  creates: boolean;
}

/** Sends requests to a service: over HTTP, or in the process of a test. */
export interface Caller {
  account: string;
  scenes: Scenes;
  /** Undefined if the service has no such route. */
  operation(route: Route): Promise<RequestTerms | undefined>;
  /** Returns the body of a successful response. Throws for another response. */
  send<T = WithId>(route: Route, input?: SceneInput): Promise<T>;
  /** Returns a caller with other credentials and the same account. */
  as(credentials: CallerCredentials): Promise<Caller>;
  /** Creates another account and returns its administrator. */
  another(): Promise<Caller>;
  /** Returns the email of an active user. Records can be assigned to this user. */
  somebody(): Promise<string>;
  /** Waits a moment for the jobs of the account. */
  afterJobs(): Promise<unknown>;
  /** Returns an unused number. */
  unique(): number;
  /** An address without a server, which the service accepts for webhooks and for a partner. */
  unreachable: string;
}
