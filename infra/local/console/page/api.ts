import type { SignedUpload } from '../upload-endpoints.ts';

/** The key of the token in the tab's storage. */
const tokenKey = 'console-token';

/** Moves the token from the printed address, `/#<token>`, to the tab's storage. */
export function keepToken() {
  const token = location.hash.slice(1);
  if (token === '' || token.startsWith('/')) return;
  sessionStorage.setItem(tokenKey, token);
  history.replaceState(null, '', '/#/home');
}

const headers = (): Record<string, string> => ({ 'x-console-token': sessionStorage.getItem(tokenKey) ?? '' });

/** The error of a rejected request. `message` is a sentence for the developer. */
export class ConsoleError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Calls an endpoint of the console, for example `call('GET', 'queues')`. Returns the body of the response. */
export const call = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  resultOf(path, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });

async function resultOf<T>(path: string, request: RequestInit): Promise<T> {
  const response = await fetch(`/_local/api/${path}`, {
    ...request,
    headers: { ...headers(), ...request.headers },
  }).catch(() => {
    throw new ConsoleError(0, 'The service does not respond. Is it running?');
  });
  const result = await response.json().catch(() => undefined);
  if (!response.ok) throw new ConsoleError(response.status, result?.message ?? `Status ${response.status}`);
  return result;
}

/** Sends a file to the bucket of the service with a signed request of the API. */
export const sendFile = (upload: SignedUpload, file: File): Promise<unknown> =>
  resultOf('uploads', {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'x-upload': JSON.stringify(upload) },
    body: file,
  });

/** The functions that receive updates, by topic. */
const listeners = new Map<string, Set<Listener>>();

/** The data of an update has the type of its topic. */
type Listener = (data: never) => void;

/** Calls `listener` for each update of a topic. Returns a function that ends the subscription. */
export function onUpdate(topic: string, listener: Listener): () => void {
  const all = listeners.get(topic) ?? new Set<Listener>();
  listeners.set(topic, all.add(listener));
  return () => void all.delete(listener);
}

/**
 * Receives server-sent events as long as the page is open. `EventSource` cannot send the token, so this function reads
 * the stream itself. `onState` receives true when connected, and false during an interruption.
 */
export async function followUpdates(onState: (connected: boolean) => void): Promise<void> {
  for (;;) {
    try {
      const response = await fetch('/_local/api/live', { headers: headers() });
      if (response.status === 401) return;
      onState(true);
      for await (const { topic, data } of updatesIn(response.body))
        for (const listener of listeners.get(topic) ?? []) listener(data as never);
    } catch {
      // The service has stopped or restarts.
    }
    onState(false);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** Parses the events of a stream. */
async function* updatesIn(
  stream: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): AsyncGenerator<{ topic: string; data: unknown }> {
  const reader = stream?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, topic] = /^event: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (topic && data) yield { topic, data: JSON.parse(data) };
    }
  }
}
