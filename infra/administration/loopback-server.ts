import { createServer, type RequestListener } from 'node:http';
import { listenOn } from './free-port.ts';

export interface LoopbackServer {
  /** For example `http://127.0.0.1:49152`. */
  endpoint: string;
  /** Closes all connections and stops listening. */
  stop(): Promise<void>;
}

/**
 * Disables the keep-alive timeout of the local servers. In a busy process, this timeout could expire while a request
 * waits to be read, and the client's `fetch` would then fail. Without the timeout, only clients close idle connections.
 */
export const noKeepAliveTimeout = 0;

/** Starts an HTTP server on 127.0.0.1. Port 0 means any free port. Rejects with EADDRINUSE if the port is in use. */
export async function startLoopbackServer(serve: RequestListener, port = 0): Promise<LoopbackServer> {
  const server = createServer({ keepAliveTimeout: noKeepAliveTimeout }, serve);
  const listening = await listenOn(server, port);
  return {
    endpoint: `http://127.0.0.1:${listening}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
