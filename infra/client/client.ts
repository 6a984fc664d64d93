import createFetchClient, {
  createQuerySerializer,
  type FetchOptions,
  type FetchResponse,
} from 'openapi-fetch';
import type { FilterKeys, PathsWithMethod } from 'openapi-typescript-helpers';
import type { components, paths } from './api.d.ts';
import { responseErrorOf } from './response-error.ts';
import { fetchWithRetries, type RetryOptions } from './retry.ts';
import { startSession } from './session.ts';

export type { components, paths, webhooks } from './api.d.ts';
export { type ErrorResponseCode, ResponseError } from './response-error.ts';
export type { RetryOptions } from './retry.ts';
export {
  verifyWebhook,
  type WebhookPayload,
  type WebhookPayloads,
  WebhookVerificationError,
} from './verify-webhook.ts';

/**
 * The credentials of the client: an API key, a user in an account, a session token, the appKey of an
 * application, or no credentials. The client cannot replace an expired session token that was passed as `token`.
 */
export type ClientCredentials =
  | { apiKey: string; apiSecret: string; account?: string }
  | { email: string; password: string; account: string }
  | { token: string; account?: string }
  | { appKey: string; account: string }
  | { account?: never };

export type ClientOptions = RetryOptions & ClientCredentials & { baseUrl: string };

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';
type PathWith<M extends Method> = PathsWithMethod<paths, M>;
type Query<P extends keyof paths, M extends Method> = paths[P] extends {
  [Key in M]: { parameters: { query?: infer Q } };
}
  ? NonNullable<Q>
  : never;

/** Paths whose operation has a query parameter. */
type PathWithQuery<M extends Method, Name extends string> = {
  [P in PathWith<M>]: Name extends keyof Query<P, M> ? P : string extends keyof Query<P, M> ? P : never;
}[PathWith<M>];

/** The parameters and the body of a call. `headers` are added to the request. */
type CallInput<P extends keyof paths, M extends Method> = Pick<
  FetchOptions<FilterKeys<paths[P], M>>,
  'params' | 'body' | 'headers' | 'signal'
>;
/** Operations with a required parameter or body. */
type RequiresInput =
  | { parameters: { path: object } }
  | { parameters: { query: object } }
  | { requestBody: object };
type PathWithoutInput<M extends Method> = {
  [P in PathWith<M>]: paths[P] extends { [Key in M]: RequiresInput } ? never : P;
}[PathWith<M>];

/** The body of a successful response. */
type DataOf<P extends keyof paths, M extends Method> = Exclude<
  NonNullable<FetchResponse<Extract<paths[P][M], object>, object, `${string}/${string}`>['data']>,
  components['schemas']['DryRun']
>;
type ItemOf<P extends keyof paths> =
  DataOf<P, 'get'> extends readonly (infer Item)[]
    ? Item
    : DataOf<P, 'get'> extends { data: readonly (infer Item)[] }
      ? Item
      : unknown;

/** Sends a request. Resolves with a successful response. Throws ResponseError for an error response. */
export interface Call<M extends Method> {
  <P extends PathWithoutInput<M>>(path: P, input?: CallInput<P, M>): Promise<CallResult<P, M>>;
  <P extends PathWith<M>>(path: P, input: CallInput<P, M>): Promise<CallResult<P, M>>;
}

interface CallResult<P extends keyof paths, M extends Method> {
  data: DataOf<P, M>;
  response: Response;
}

/** The records of a list, as an iterator that requests each page when it is needed. */
export interface ListRecords {
  <P extends ListPath & PathWithoutInput<'get'>>(path: P, input?: CallInput<P, 'get'>): Records<P>;
  <P extends ListPath>(path: P, input: CallInput<P, 'get'>): Records<P>;
}
type ListPath = PathWithQuery<'get', 'cursor'>;
type Records<P extends keyof paths> = AsyncGenerator<ItemOf<P>, void, undefined>;

type ChangingMethod = Uppercase<Exclude<Method, 'get'>>;
type PreviewPath<M extends ChangingMethod> = PathWithQuery<Lowercase<M>, 'dryRun'>;

/**
 * The preview of a request. Nothing is changed. `answer` is the response that the real request would return.
 */
export type Preview<Answer> = Omit<components['schemas']['DryRun'], 'answer'> & { answer: Answer };

export interface Client {
  GET: Call<'get'>;
  PUT: Call<'put'>;
  POST: Call<'post'>;
  PATCH: Call<'patch'>;
  DELETE: Call<'delete'>;
  list: ListRecords;
  /** Previews a request that changes something. */
  preview<M extends ChangingMethod, P extends PreviewPath<M>>(
    method: M,
    path: P,
    input: CallInput<P, Lowercase<M>>,
  ): Promise<Preview<DataOf<P, Lowercase<M>>>>;
}

/** The input of a call whose operation is not known to the compiler. */
interface UntypedInput {
  params?: { query?: Record<string, unknown> };
}
type UntypedCall = (
  method: string,
  path: string,
  input: UntypedInput,
) => Promise<{ data: unknown; response: Response }>;

/**
 * Creates a client. It signs in with the first request, signs in again when the session ends, repeats requests as
 * described in RetryOptions, and sends an `Idempotency-Key` with every POST.
 */
export function createClient({ baseUrl, account, ...options }: ClientOptions): Client {
  const fetch = fetchWithRetries(options);
  const signIn = async (login: object): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const url = `${baseUrl.replace(/\/$/, '')}/auth/login`;
    const response = await fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(login) }));
    if (!response.ok) throw await responseErrorOf(response);
    const { token } = (await response.json()) as { token?: string };
    if (token === undefined)
      throw new Error(
        'This user has a second factor. Log in with a code, and create the client with the token.',
      );
    return token;
  };
  const session = sessionOf(options, signIn);

  const send = async (request: Request): Promise<Response> => {
    if (account !== undefined && !('appKey' in options)) request.headers.set('x-account-id', account);
    if (request.method === 'POST' && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID());
    if (!session || request.headers.has('authorization')) return fetch(request);
    const token = await session.token();
    request.headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(request);
    if ('token' in options || !(await needsSignIn(response))) return response;
    await response.body?.cancel();
    request.headers.set('authorization', `Bearer ${await session.renewed(token)}`);
    return fetch(request);
  };

  const serialize = createQuerySerializer<object>();
  const applicant = 'appKey' in options ? { appKey: options.appKey, acctId: account } : {};
  const calls = createFetchClient<paths>({
    baseUrl,
    querySerializer: (query) => serialize({ ...query, ...applicant }),
    fetch: async (request) => {
      const response = await send(request);
      if (!response.ok) throw await responseErrorOf(response);
      return response;
    },
  });
  // `fetch` above throws for error responses, so `data` is always present. `list` and `preview` use `request`, whose
  // type accepts any method and path.
  const { GET, PUT, POST, PATCH, DELETE } = calls as unknown as Client;
  const request = calls.request as unknown as UntypedCall;
  return {
    GET,
    PUT,
    POST,
    PATCH,
    DELETE,
    async *list<P extends keyof paths>(path: P, input: object = {}) {
      let cursor: string | null = '';
      do {
        const { data, response } = await request('get', path, withQuery(input, { cursor }));
        const page = data as ItemOf<P>[] | { data: ItemOf<P>[]; nextCursor: string | null };
        yield* Array.isArray(page) ? page : page.data;
        cursor = Array.isArray(page) ? response.headers.get('x-next-cursor') : page.nextCursor;
      } while (cursor);
    },
    async preview(method: string, path: string, input: object) {
      const { data } = await request(method.toLowerCase(), path, withQuery(input, { dryRun: true }));
      return data as Preview<never>;
    },
  };
}

/** Reports whether the session has ended, or the request needs a fresh proof of the user's identity: a login is one. */
async function needsSignIn(response: Response): Promise<boolean> {
  if (response.status !== 403) return response.status === 401;
  return (await responseErrorOf(response.clone())).code === 'step_up_required';
}

function sessionOf(credentials: object, signIn: (login: object) => Promise<string>) {
  if ('token' in credentials) return startSession(async () => String(credentials.token));
  if ('apiKey' in credentials && 'apiSecret' in credentials) {
    const { apiKey, apiSecret } = credentials;
    return startSession(() => signIn({ apiKey, apiSecret }));
  }
  if ('email' in credentials && 'password' in credentials) {
    const { email, password } = credentials;
    return startSession(() => signIn({ email, password }));
  }
  return undefined;
}

const withQuery = ({ params, ...input }: UntypedInput, query: Record<string, unknown>): UntypedInput => ({
  ...input,
  params: { ...params, query: { ...params?.query, ...query } },
});
