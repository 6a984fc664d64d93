import '../quiet-sdk.ts';
import { existsSync, readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { functionsFolder, mapOf } from '../build/source-maps.ts';
import { command } from './command.ts';
import { text } from './options.ts';
import { translateStack } from './translate-stack.ts';

await command(
  {
    name: 'stack:translate',
    summary: `Reads a stack trace from a function's log and prints it with the places in the sources. The map is that of the last
build here: of the commit that is deployed, npm run build makes the very same.`,
    options: {
      function: { type: text, required: true, help: 'whose log it is, such as leads-create-lead' },
    },
  },
  async ({ function: name }) => {
    const path = mapOf(functionsFolder, name);
    if (!existsSync(path))
      throw new Error(`There is no map ${path}: run npm run build, and name a function that it lists.`);
    const stack = await textOf(process.stdin);
    // In a line of the log the ends of lines are written as \n.
    process.stdout.write(
      `${translateStack(stack.replaceAll('\\n', '\n').trimEnd(), JSON.parse(readFileSync(path, 'utf8')), `${functionsFolder}/${name}`)}\n`,
    );
  },
);
