import { CannotStart } from './cannot-start.ts';
import type { Engine } from './dynamodb-local.ts';
import { freePort } from './free-port.ts';
import { startTethered } from './tethered-process.ts';

/** A DynamoDB engine on a loopback port, ended by `stop` or by the end of this process. */
export interface DynamoDb {
  endpoint: string;
  /** Resolves when the engine is gone, wanted or not, with the last it said. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the engine on a free port, again on another one where somebody else was faster, and resolves when it
 * serves requests. Throws CannotStart.
 */
export async function runEngine({ program, args }: Engine): Promise<DynamoDb> {
  let said = '';
  for (let attempt = 1; attempt <= 3; attempt++) {
    const port = await freePort();
    const engine = startTethered(program, args(port));
    const endpoint = `http://127.0.0.1:${port}`;
    const deadline = Date.now() + 30_000;
    while (engine.isRunning() && Date.now() < deadline) {
      if ((await responses(endpoint)) && engine.isRunning())
        return { endpoint, exited: engine.exited, stop: engine.stop };
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await engine.stop();
    said = await engine.exited;
    if (!/address.*in use/i.test(said)) break;
  }
  throw new CannotStart(
    `The DynamoDB engine did not start: ${firstSentence(said) || 'no response within 30 s'}.`,
  );
}

/** What an engine says first is what matters; the native one goes on with advice about its own API. */
const firstSentence = (said: string): string => said.split(/\.?(?:\n|\. )/)[0]?.replace(/^error: /, '') ?? '';

async function responses(endpoint: string): Promise<boolean> {
  try {
    await (await fetch(endpoint)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
