import { createServer } from 'node:net';

/** A loopback port that is free right now. Somebody else may take it first, so whoever uses it tries again. */
export const freePort = (): Promise<number> => listenBriefly(0);

/** Rejects with the system's error (EADDRINUSE, EACCES) where a loopback port cannot be listened on. */
export async function requireFree(port: number): Promise<void> {
  await listenBriefly(port);
}

function listenBriefly(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
