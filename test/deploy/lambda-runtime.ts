import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { startLoopbackServer } from '../../infra/local/loopback-server.ts';

/** What Lambda knows of a function. */
export interface LambdaFunction {
  name: string;
  /** Such as `entry.handler`. */
  handler: string;
  /** Holds its code. */
  folder: string;
  timeoutSeconds: number;
  memoryMegabytes: number;
  environment: Record<string, string>;
}

/** What became of a function in an instance of its own. */
export interface Run {
  /** What it answered to each event, in their order: its response, or what the client reports of its error. */
  answers: ({ response: unknown } | { error: unknown })[];
  /** What the client reports where the function cannot be loaded. */
  initError?: unknown;
  /** The lines of its log. */
  log: string[];
  /** What it wrote past the log. */
  stderr: string;
}

/** Milliseconds that an instance may take for all its events, on a machine with other work. */
const patience = 60_000;

/**
 * Runs a function as Lambda does: AWS's runtime interface client loads the handler by its name in a process of its own, gets
 * one event after the other from a Runtime API on loopback, and reports what the handler makes of it. RUNTIME_CLIENT names
 * the folder of the client.
 */
export async function runFunction(lambda: LambdaFunction, events: readonly unknown[]): Promise<Run> {
  const api = await startRuntimeApi(lambda, events);
  const client = join(process.env.RUNTIME_CLIENT ?? '', 'index.mjs');
  const instance = spawn(process.execPath, [client], {
    cwd: lambda.folder,
    env: { ...lambda.environment, ...reserved(lambda), AWS_LAMBDA_RUNTIME_API: new URL(api.endpoint).host },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patience,
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
  return { answers: api.answers, initError: api.initError(), log, stderr: written.stderr };
}

/**
 * Lambda's Runtime API for one instance (docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html). It is over once the client
 * asks for an event and there is none, or says that it cannot begin.
 */
async function startRuntimeApi({ name, timeoutSeconds }: LambdaFunction, events: readonly unknown[]) {
  const answers: Run['answers'] = [];
  let given = 0;
  let initError: unknown;
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, what = ''] = /^\/2018-06-01\/runtime\/(.+)$/.exec(request.url ?? '') ?? [];
    if (what === 'invocation/next') {
      // Lambda freezes an instance that waits for an event; this one has had its last.
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
    const told = await json(request);
    if (what === 'init/error') {
      initError = told;
      end();
    } else if (what === `invocation/request-${given - 1}/response`) answers.push({ response: told });
    else if (what === `invocation/request-${given - 1}/error`) answers.push({ error: told });
    else throw new Error(`The client asks for ${request.method} ${request.url}.`);
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
  }

  const server = await startLoopbackServer((request, response) => {
    serve(request, response).catch((error: Error) => response.writeHead(400).end(error.message));
  });
  return { ...server, over, answers, initError: () => initError };
}

/** What Lambda sets itself, and no function may (docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html). */
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
