import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { CannotStart } from '../administration/cannot-start.ts';
import { freePort, listenOn } from '../administration/free-port.ts';
import { noKeepAliveTimeout } from '../administration/loopback-server.ts';
import type { Exchange } from './activity.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { routeFor, toHttpEvent } from './http-event.ts';
import type { Invoke } from './lambda.ts';

export interface GatewayRoute {
  method: string;
  path: string;
  invoke: Invoke;
}

interface GatewayOptions {
  port: number;
  routes: readonly GatewayRoute[];
  /** The origins whose pages may call the API. Default: none. */
  corsOrigins?: readonly string[];
  /** Called after each response of a function or of the gateway itself, except responses to preflight requests. */
  onExchange?: (exchange: Exchange) => void;
  /** Handles the requests that are not for the API. Default: none. */
  site?: {
    serves(request: IncomingMessage): boolean;
    handle(request: IncomingMessage, response: ServerResponse): void;
  };
}

/** The part of an exchange that is known only after the request was handled. */
type Handled = Partial<Pick<Exchange, 'requestId' | 'route' | 'requestBody' | 'responseBody'>>;

export interface Gateway {
  baseUrl: string;
  /** Rejects new requests, and waits up to 5 s for requests in progress. */
  stop(): Promise<void>;
}

/** API Gateway's limit for the body of a request: 10 MB. */
const largestBody = 10 * 1024 * 1024;

/**
 * API Gateway's limit for the request line and all header values, in bytes:
 * docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const largestHead = 10_240;

/**
 * The limit of Node's parser for the request line and headers, in bytes. Above it, Node responds with a 431
 * without a body.
 */
const maxHeaderSize = 256 * 1024;

/**
 * An HTTP server on 127.0.0.1 that emulates API Gateway's HTTP API: routes, payload 2.0, CORS, and API Gateway's own
 * error responses (404, 413, 431, 500). Throws CannotStart if the port is in use or reserved.
 */
export async function startGateway({
  port,
  routes,
  corsOrigins = [],
  onExchange = () => {},
  site,
}: GatewayOptions): Promise<Gateway> {
  const server = createServer(
    { keepAliveTimeout: noKeepAliveTimeout, maxHeaderSize },
    async (request, response) => {
      if (site?.serves(request)) {
        site.handle(request, response);
        return;
      }
      const [startedAt, began] = [Date.now(), performance.now()];
      const handled: Handled = {};
      try {
        await serve(request, response, handled);
      } catch (error) {
        // The client has closed the connection.
        if (request.errored) return;
        console.error(error);
        handled.responseBody = send(response, 500, { message: 'Internal Server Error' });
      }
      if (handled.responseBody)
        onExchange({
          method: request.method ?? 'GET',
          target: request.url ?? '/',
          requestHeaders: request.rawHeaders,
          requestBody: Buffer.alloc(0),
          status: response.statusCode,
          responseHeaders: response.getHeaders(),
          responseBody: handled.responseBody,
          startedAt,
          milliseconds: performance.now() - began,
          ...handled,
        });
    },
  );

  /** Sends the response. Sets each field of `handled` when its value is known. */
  async function serve(request: IncomingMessage, response: ServerResponse, handled: Handled): Promise<void> {
    const { method = 'GET', url: target = '/' } = request;
    if (headSize(request) > largestHead) {
      handled.responseBody = send(response, 431, { message: 'Request Header Fields Too Large' });
      return;
    }
    const { origin, 'access-control-request-method': preflight } = request.headers;
    if (corsOrigins.length > 0 && method === 'OPTIONS' && origin !== undefined && preflight !== undefined) {
      response.writeHead(204, preflightHeaders(corsOrigins, origin)).end();
      return;
    }
    for (const [name, value] of Object.entries(corsHeaders(corsOrigins, origin)))
      response.setHeader(name, value);

    const body = await readBody(request);
    if (body === 'too large') {
      handled.responseBody = rejectRest(request, response);
      return;
    }
    handled.requestBody = body;
    const match = routeFor(routes, method, target);
    if (!match) {
      handled.responseBody = send(response, 404, { message: 'Not Found' });
      return;
    }
    const sourceIp = request.socket.remoteAddress ?? '127.0.0.1';
    const event = toHttpEvent({ method, target, headers: request.rawHeaders, body, sourceIp }, match);
    handled.requestId = event.requestContext.requestId;
    handled.route = event.routeKey;
    handled.responseBody = sendResult(response, await match.route.invoke(event));
  }

  const actualPort = await listenOn(server, port).catch((error) => {
    throw portError(error, port);
  });
  return {
    baseUrl: `http://127.0.0.1:${actualPort}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), 5_000);
      await closed;
      clearTimeout(force);
    },
  };
}

/** Throws CannotStart if the port is in use or reserved. */
export async function requireFreePort(port: number): Promise<void> {
  await freePort(port).catch((error) => {
    throw portError(error, port);
  });
}

function portError(error: NodeJS.ErrnoException, port: number): Error {
  const remedy = 'set PORT to another port, for example PORT=3001';
  if (error.code === 'EADDRINUSE')
    return new CannotStart(`Port ${port} is in use. Stop the other program, or ${remedy}.`);
  if (error.code === 'EACCES') return new CannotStart(`Port ${port} is reserved: ${remedy}.`);
  return error;
}

/**
 * Returns the size of the request line and of all header values in bytes. Node decodes each byte to one
 * character, so the lengths of the strings are numbers of bytes.
 */
function headSize({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): number {
  const values = rawHeaders.filter((_, at) => at % 2 === 1);
  return [`${method} ${url} HTTP/${httpVersion}`, ...values].reduce((sum, { length }) => sum + length, 0);
}

async function readBody(request: IncomingMessage): Promise<Buffer | 'too large'> {
  if (Number(request.headers['content-length'] ?? 0) > largestBody) return 'too large';
  const chunks: Buffer[] = [];
  let size = 0;
  // By default, a return from the loop would destroy the socket, and no response could be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > largestBody) return 'too large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Responds with 413 before the complete body has arrived, and closes the connection after 1 s. */
function rejectRest(request: IncomingMessage, response: ServerResponse): Buffer {
  response.setHeader('connection', 'close');
  const body = send(response, 413, { message: 'Request Entity Too Large' });
  request.resume();
  setTimeout(() => request.destroy(), 1_000).unref();
  return body;
}

/** Sends a function's result and returns the body. A result without a status code is sent as JSON with status 200. */
function sendResult(response: ServerResponse, result: unknown): Buffer {
  const structured = result as APIGatewayProxyStructuredResultV2 | null | undefined;
  if (typeof structured !== 'object' || structured === null || structured.statusCode === undefined) {
    return send(response, 200, result ?? null);
  }
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = structured;
  for (const [name, value] of Object.entries(headers)) {
    // API Gateway ignores the CORS headers of functions and adds its own CORS headers.
    if (value === undefined || /^access-control-/i.test(name)) continue;
    if (/^vary$/i.test(name)) response.appendHeader(name, String(value));
    else response.setHeader(name, String(value));
  }
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  response.writeHead(statusCode).end(bytes);
  return bytes;
}

function send(response: ServerResponse, status: number, body: unknown): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' }).end(bytes);
  return bytes;
}
