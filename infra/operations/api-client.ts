/** API Gateway ends a request after 15 seconds. */
const patience = 20_000;

type Json = Record<string, unknown>;

interface Sending {
  body?: object;
  /** In place of those of the client, where they have the same name. */
  headers?: Record<string, string>;
  /** What it must respond with; left out: anything from 200 to 299. */
  status?: number;
}

/** Speaks to the API of a deployment, whose address may have a path. */
export interface ApiClient {
  /** Sends a request; the body of its response. Throws a sentence where the response has another status, or none came. */
  send<T = Json>(method: string, path: string, sending?: Sending): Promise<T>;
  /** The same API with more headers in every request. */
  with(headers: Record<string, string>): ApiClient;
}

export const apiClient = (baseUrl: string, common: Record<string, string> = {}): ApiClient => ({
  async send<T>(method: string, path: string, { body, headers, status }: Sending = {}): Promise<T> {
    const said = `${method} ${path.split('?')[0]}`;
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}${path}`, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...common, ...headers },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    }).catch((error: Error) => {
      throw new Error(`${said} got no response: ${reasonOf(error)}.`);
    });
    const text = await response.text();
    if (status === undefined ? !response.ok : response.status !== status)
      throw new Error(`${said} responded with ${response.status}${codeIn(text)}, not ${status ?? '2xx'}.`);
    return (text === '' ? {} : JSON.parse(text)) as T;
  },
  with: (headers) => apiClient(baseUrl, { ...common, ...headers }),
});

/** What fetch hides in the cause of its error. */
function reasonOf({ message, cause }: Error): string {
  const { code, message: because } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  return code ?? because ?? message;
}

/** The code of an error of ours. */
function codeIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? ` ${error}` : '';
  } catch {
    return '';
  }
}
