/** In milliseconds. Longer than the limit of API Gateway, which ends a request after 15 seconds. */
const timeout = 20_000;

type Json = Record<string, unknown>;

interface RequestOptions {
  body?: object;
  /** These headers replace the client's headers of the same name. */
  headers?: Record<string, string>;
  /** The expected status. Default: any status from 200 to 299. */
  status?: number;
}

/** A client of a deployed API. Its base URL may contain a path. */
export interface ApiClient {
  /** Sends a request and returns the response body. Throws on an unexpected status or if there is no response. */
  send<T = Json>(method: string, path: string, options?: RequestOptions): Promise<T>;
  /** Returns a client that adds these headers to every request. */
  with(headers: Record<string, string>): ApiClient;
}

export const apiClient = (baseUrl: string, common: Record<string, string> = {}): ApiClient => ({
  async send<T>(method: string, path: string, { body, headers, status }: RequestOptions = {}): Promise<T> {
    const name = `${method} ${path.split('?')[0]}`;
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}${path}`, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...common, ...headers },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(timeout),
    }).catch((error: Error) => {
      throw new Error(`${name} got no response: ${reasonOf(error)}.`);
    });
    const text = await response.text();
    if (status === undefined ? !response.ok : response.status !== status)
      throw new Error(
        `${name} returned ${`${response.status} ${codeIn(text)}`.trimEnd()}, expected ${status ?? '2xx'}.`,
      );
    return (text === '' ? {} : JSON.parse(text)) as T;
  },
  with: (headers) => apiClient(baseUrl, { ...common, ...headers }),
});

/** The errors of `fetch` contain the reason in `cause`. */
function reasonOf({ message, cause }: Error): string {
  const { code, message: because } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  return code ?? because ?? message;
}

/** The error code in a response of this API. */
const codeIn = (text: string): string => /"error":"(\w+)"/.exec(text)?.[1] ?? '';
