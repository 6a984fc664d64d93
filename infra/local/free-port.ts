import { createServer } from 'node:net';

/** A loopback port that is free right now. Somebody else may take it first, so whoever uses it tries again. */
export const freePort = (): Promise<number> => listenBriefly(0);

/** Listens on a loopback port (0: any) for a moment and resolves with it. Rejects with EADDRINUSE or EACCES. */
export function listenBriefly(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
