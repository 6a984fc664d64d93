import type { Call, Client } from '../client/client.ts';
import { rateLimitPause } from './rate-limit-pause.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A record in a response. The caller declares the other fields that it reads. */
export interface WithId {
  id: number | string;
}

/**
 * Sends a request and returns the body of the response. `path` contains the parameters and the query. Throws
 * ResponseError for an error response.
 */
export type SendRequest = <T = WithId>(method: Method, path: string, body?: object) => Promise<T>;

interface Sending {
  /** The maximum number of requests that the caller sends in parallel. */
  parallel: number;
  /** If aborted, no further request is sent. */
  signal?: AbortSignal;
  /** Receives each successful request. */
  onResponse?: (method: Method, path: string, body: unknown, response: Response) => void;
}

/** Returns a function that sends the requests of one client, within the rate limit of its caller. */
export function requestSender(client: Client, { parallel, signal, onResponse }: Sending): SendRequest {
  const pause = rateLimitPause(parallel);
  return async <T>(method: Method, path: string, body?: object) => {
    await pause.wait(signal);
    signal?.throwIfAborted();
    const { [method]: call }: Record<Method, Call<'post'>> = client;
    const { data, response } = await call(path as `/${string}`, { body });
    pause.note(response.headers);
    onResponse?.(method, path, data, response);
    return data as T;
  };
}
