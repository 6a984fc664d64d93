import { createServer, type Server } from 'node:net';

/** Listens on a port of 127.0.0.1 (0: any free one) and resolves with it. Rejects with EADDRINUSE or EACCES. */
export function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Resolves with a port that is free now (default: any). Another process may take it first, so callers retry. */
export async function freePort(port = 0): Promise<number> {
  const server = createServer();
  const free = await listenOn(server, port);
  await new Promise((resolve) => server.close(resolve));
  return free;
}
