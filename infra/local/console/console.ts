import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { root } from '../../build/endpoints.ts';
import type { AddEndpoints } from './add-endpoints.ts';
import { createFrames, type Frames } from './frames.ts';
import { type Live, liveUpdates } from './live-updates.ts';

/** The console of the local service: the page at `/` and its endpoints below `/_local/`. */
interface Console {
  /** The secret part of the console's address. Each endpoint requires it in the header `x-console-token`. */
  token: string;
  /** Reports whether a request is for the console, and not for the API. */
  serves(request: IncomingMessage): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  stop(): Promise<void>;
}

/**
 * Creates the console. The console rejects requests whose host is not a loopback address, which prevents DNS
 * rebinding. It also rejects requests from pages of other sites. The page at `/` needs no token, because it
 * contains no data.
 */
export async function createConsole(
  groups: readonly AddEndpoints[],
  { frames = createFrames(), live = liveUpdates() }: { frames?: Frames; live?: Live } = {},
): Promise<Console> {
  const token = randomBytes(24).toString('base64url');
  const app = fastify({ logger: false, bodyLimit: 64 * 1024, forceCloseConnections: true });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders);
    const reason = rejection(request);
    if (reason !== undefined) return reply.code(403).send({ message: reason });
  });
  addPage(app);
  frames.addEndpoints(app);

  await app.register(
    async (api) => {
      api.addHook('onRequest', async ({ headers }, reply) => {
        if (!isToken(headers['x-console-token'], token))
          return reply
            .code(401)
            .send({ message: 'Open the console at the address that the service printed.' });
      });
      for (const addEndpoints of [live.addEndpoints, frames.addFrameEndpoint, ...groups]) addEndpoints(api);
    },
    { prefix: '/_local/api' },
  );
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ message: 'The console has no such page.' }));
  await app.ready();
  return {
    token,
    serves: ({ url = '' }) => url === '/' || url.startsWith('/_local/'),
    handle: (request, response) => app.routing(request, response),
    async stop() {
      live.stop();
      await app.close();
    },
  };
}

/** The page may load only the console's own files, send requests only to the console, and show only its own frames. */
const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Returns the reason to reject a request that may come from another site. */
function rejection({ headers }: FastifyRequest): string | undefined {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host))
    return 'The console can be used only at a loopback address, such as 127.0.0.1.';
  const isForeign = origin !== undefined && origin !== `http://${host}`;
  if (isForeign || (site !== undefined && site !== 'same-origin' && site !== 'none'))
    return 'Pages of other sites cannot use the console.';
  return undefined;
}

function isToken(given: string | string[] | undefined, token: string): boolean {
  const [one, other] = [Buffer.from(String(given ?? '')), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const page = join(root, 'infra', 'local', 'console', 'page');
const script = '/_local/page/app.js';

/** The page's static files, by the path in a request. */
const pageFiles: Readonly<Record<string, { file: string; type: string }>> = {
  '/': { file: join(page, 'index.html'), type: 'text/html; charset=utf-8' },
  '/_local/page/console.css': { file: join(page, 'console.css'), type: 'text/css; charset=utf-8' },
  // The API reference's style, which defines the colors and the controls.
  '/_local/page/base.css': {
    file: join(root, 'infra', 'openapi', 'reference', 'page.css'),
    type: 'text/css; charset=utf-8',
  },
};

/**
 * Adds the endpoints of the page. Reads and bundles the files at each request, so that a developer of the console sees
 * changes without a restart.
 */
function addPage(app: FastifyInstance): void {
  for (const [path, { file, type }] of Object.entries(pageFiles))
    app.get(path, (_, reply) => reply.type(type).send(readFileSync(file)));
  app.get(script, async (_, reply) => reply.type('text/javascript; charset=utf-8').send(await builtScript()));
}

/** Builds in a separate process, which ends afterwards. The other functions of esbuild would keep their process. */
async function builtScript(): Promise<string> {
  const { buildSync } = await import('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: [join(page, 'app.ts')],
    ...{ bundle: true, write: false, format: 'esm', target: 'es2023', logLevel: 'silent' },
  });
  return outputFiles[0]?.text ?? '';
}
