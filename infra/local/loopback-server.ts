import { createServer, type RequestListener } from 'node:http';

/** Something that is reached by HTTP on this machine. */
export interface LoopbackServer {
  /** Such as `http://127.0.0.1:49152`. */
  endpoint: string;
  /** Cuts the connections there are, and resolves once nothing listens any more. */
  stop(): Promise<void>;
}

/**
 * The keep-alive timeout of the local servers: none, so that only a client closes an idle connection. In a busy process the
 * server's timeout can fire before it reads a request that was just sent, and the client's `fetch` then fails.
 */
export const noKeepAliveTimeout = 0;

/** Serves HTTP on 127.0.0.1, on a port that is free. */
export async function startLoopbackServer(serve: RequestListener): Promise<LoopbackServer> {
  const server = createServer({ keepAliveTimeout: noKeepAliveTimeout }, serve);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
