import '../quiet-sdk.ts';
import { existsSync, readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { functionsFolder, sourceMapPath } from '../build/source-maps.ts';
import { command, print } from './command.ts';
import { text } from './options.ts';
import { translateStack } from './translate-stack.ts';

await command(
  {
    name: 'stack:translate',
    summary: `Reads a stack trace of a deployed function from stdin and prints it with source locations. Uses the
source map of the last local build: check out the deployed commit and run npm run build first.`,
    options: {
      function: { type: text, required: true, help: 'name of the function, such as leads-create-lead' },
    },
  },
  async ({ function: name }) => {
    const path = sourceMapPath(functionsFolder, name);
    if (!existsSync(path))
      throw new Error(`${path} is missing. Run npm run build, and pass the name of an existing function.`);
    const stack = await textOf(process.stdin);
    // Logs contain line feeds as \n escapes.
    const lines = stack.replaceAll('\\n', '\n').trimEnd();
    const map = JSON.parse(readFileSync(path, 'utf8'));
    print(undefined, translateStack(lines, map, `${functionsFolder}/${name}`).split('\n'));
  },
);
