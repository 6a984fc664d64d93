import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';

interface LambdaFunction {
  name: string;
  /** Such as `entry.handler`. */
  handler: string;
  /** The folder with the code. */
  folder: string;
  timeoutSeconds: number;
  memoryMegabytes: number;
  environment: Record<string, string>;
}

/** The result of running a function in a new instance. */
export interface Run {
  /** The response or the error for each event, in order. */
  results: ({ response: unknown } | { error: unknown })[];
  /** Set if the function cannot be loaded. */
  initError?: unknown;
  /** Log lines. */
  log: string[];
  stderr: string;
}

/** The timeout for all events together, in milliseconds. */
const timeout = 60_000;

/**
 * Runs a function as Lambda does. In a new process, AWS's runtime interface client loads the handler, reads the events
 * from a Runtime API on loopback, and reports the results. RUNTIME_CLIENT is the folder of the client.
 */
export async function runFunction(lambda: LambdaFunction, events: readonly unknown[]): Promise<Run> {
  const api = await startRuntimeApi(lambda, events);
  const client = join(process.env.RUNTIME_CLIENT ?? '', 'index.mjs');
  const instance = spawn(process.execPath, [client], {
    cwd: lambda.folder,
    env: { ...lambda.environment, ...reserved(lambda), AWS_LAMBDA_RUNTIME_API: new URL(api.endpoint).host },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
  });
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    instance[stream].setEncoding('utf8').on('data', (text: string) => {
      written[stream] += text;
    });
  const closed = once(instance, 'close');
  await Promise.race([api.over, closed]);
  instance.kill();
  await closed;
  await api.stop();
  const log = written.stdout.split('\n').filter((line) => line !== '');
  return { results: api.results, initError: api.initError(), log, stderr: written.stderr };
}

/**
 * Lambda's Runtime API for one instance (docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html). `over` resolves
 * when the client has processed all events or reports an init error.
 */
async function startRuntimeApi({ name, timeoutSeconds }: LambdaFunction, events: readonly unknown[]) {
  const results: Run['results'] = [];
  let given = 0;
  let initError: unknown;
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, what = ''] = /^\/2018-06-01\/runtime\/(.+)$/.exec(request.url ?? '') ?? [];
    if (what === 'invocation/next') {
      // Like Lambda, sends no response if there is no next event.
      if (given === events.length) return end();
      response.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': `request-${given}`,
        'lambda-runtime-deadline-ms': Date.now() + timeoutSeconds * 1000,
        'lambda-runtime-invoked-function-arn': `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
        'lambda-runtime-trace-id':
          'Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=1',
      });
      response.end(JSON.stringify(events[given]));
      given += 1;
      return;
    }
    const body = await json(request);
    if (what === 'init/error') {
      initError = body;
      end();
    } else if (what === `invocation/request-${given - 1}/response`) results.push({ response: body });
    else if (what === `invocation/request-${given - 1}/error`) results.push({ error: body });
    else throw new Error(`Unexpected request ${request.method} ${request.url}.`);
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
  }

  const server = await startLoopbackServer((request, response) => {
    serve(request, response).catch((error: Error) => response.writeHead(400).end(error.message));
  });
  return { ...server, over, results, initError: () => initError };
}

/** Variables set by Lambda (docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html). */
const reserved = ({ name, handler, folder, memoryMegabytes }: LambdaFunction): Record<string, string> => ({
  _HANDLER: handler,
  LAMBDA_TASK_ROOT: folder,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_FUNCTION_NAME: name,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
  AWS_LAMBDA_LOG_GROUP_NAME: '/merchant-ops-local/functions',
  AWS_LAMBDA_LOG_STREAM_NAME: '2026/03/01/[$LATEST]0123456789abcdef',
  AWS_LAMBDA_LOG_FORMAT: 'JSON',
  TZ: ':UTC',
  LANG: 'en_US.UTF-8',
});
