import { CannotStart } from '../administration/cannot-start.ts';
import { freePort } from '../administration/free-port.ts';
import type { Engine } from './dynamodb-local.ts';
import { startTethered } from './tethered-process.ts';

/** A DynamoDB engine on a loopback port. The engine ends when `stop` is called or this process ends. */
export interface DynamoDb {
  endpoint: string;
  /** Resolves when the engine has ended, with the last part of its error output. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the engine on a free port and resolves when the engine serves requests. If another process takes the port
 * first, tries another port. Throws CannotStart.
 */
export async function runEngine({ program, host = '127.0.0.1', args }: Engine): Promise<DynamoDb> {
  let output = '';
  for (let attempt = 1; attempt <= 3; attempt++) {
    const port = await freePort(0, host);
    const engine = startTethered(program, args(port));
    const endpoint = `http://${host}:${port}`;
    const deadline = Date.now() + 30_000;
    while (engine.isRunning() && Date.now() < deadline) {
      if ((await isServing(endpoint)) && engine.isRunning())
        return { endpoint, exited: engine.exited, stop: engine.stop };
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await engine.stop();
    output = await engine.exited;
    if (!/already in use/i.test(output)) break;
  }
  throw new CannotStart(
    `The DynamoDB engine did not start: ${firstSentence(output) || 'no response within 30 s'}.`,
  );
}

/**
 * Returns the first sentence of the error output: the cause. In the native engine's output, help about its
 * options follows.
 */
const firstSentence = (output: string): string =>
  output.split(/\.?(?:\n|\. )/)[0]?.replace(/^error: /, '') ?? '';

async function isServing(endpoint: string): Promise<boolean> {
  try {
    await (await fetch(endpoint)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
