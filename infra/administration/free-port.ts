import { createServer, type Server } from 'node:net';

/** Listens on a loopback address and returns the port. Port 0 means any free port. Rejects with EADDRINUSE or EACCES. */
export function listenOn(server: Server, port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Returns the port, or any free port for 0. Rejects like `listenOn`. Another process may take the port afterwards. */
export async function freePort(port = 0, host?: string): Promise<number> {
  const server = createServer();
  const free = await listenOn(server, port, host);
  await new Promise((resolve) => server.close(resolve));
  return free;
}
