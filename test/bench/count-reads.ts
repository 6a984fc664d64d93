import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';

/** The cost of the reads between two calls of `reset`. */
interface Reads {
  units: number;
  /** The length of the longest chain of requests of which each began after the previous one had ended. */
  sequence: number;
}

interface Span {
  begun: number;
  ended: number;
}

const isRead = (operation: string): boolean => /\.(GetItem|BatchGetItem|Query)$/.test(operation);

interface Consumed {
  ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[];
}

const unitsOf = ({ ConsumedCapacity = [] }: Consumed): number =>
  [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);

/** A proxy of the engine that adds the read units of all requests. The engine does not check signatures. */
export async function startReadCounter(engine: string) {
  let units = 0;
  let spans: Span[] = [];
  const server = createServer(async (incoming, response) => {
    const operation = String(incoming.headers['x-amz-target']);
    const input = (await json(incoming)) as object;
    const body = JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' });
    const headers = { ...incoming.headers, 'content-length': String(Buffer.byteLength(body)) };
    const begun = performance.now();
    request(engine, { method: 'POST', headers }, async (answer) => {
      const output = await text(answer);
      if (isRead(operation)) {
        units += unitsOf(JSON.parse(output));
        spans.push({ begun, ended: performance.now() });
      }
      const { 'content-length': _, 'transfer-encoding': __, 'x-amz-crc32': ___, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 500, kept).end(output);
    })
      .on('error', () => response.destroy())
      .end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reset: () => {
      units = 0;
      spans = [];
    },
    reads: (): Reads => ({ units, sequence: longestChain(spans) }),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function longestChain(spans: readonly Span[]): number {
  let [length, end] = [0, 0];
  for (const { begun, ended } of spans.toSorted((one, other) => one.ended - other.ended))
    if (begun >= end) [length, end] = [length + 1, ended];
  return length;
}
