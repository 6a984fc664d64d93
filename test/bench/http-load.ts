import { Agent, request } from 'node:http';

export interface LoadRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Returns the body of the `n`th request. */
  body?: (n: number) => string;
}

/**
 * Sends requests on parallel connections for the given seconds, and returns the number of requests per second. Each
 * connection waits for a response before its next request. Throws for a response with an error status.
 */
export async function loadFor(
  { method, url, headers, body }: LoadRequest,
  seconds: number,
  connections: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + seconds * 1000;
  let [sent, answered] = [0, 0];
  const connection = async () => {
    while (performance.now() < end) {
      await sendOne(agent, { method, url, headers }, body?.(sent++));
      answered += 1;
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsed = (performance.now() - begun) / 1000;
  agent.destroy();
  return answered / elapsed;
}

/** Sends one request, and returns the text of the response. */
export const sendOne = (
  agent: Agent | undefined,
  { method, url, headers }: LoadRequest,
  body = '',
): Promise<string> =>
  new Promise((resolve, reject) => {
    const length = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = request(
      url,
      { method, agent, headers: { ...headers, ...(body && length) } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('end', () => {
          if ((response.statusCode ?? 500) < 400) resolve(text);
          else reject(new Error(`${method} ${url} returned ${response.statusCode}: ${text}`));
        });
      },
    );
    outgoing.once('error', reject).end(body);
  });
