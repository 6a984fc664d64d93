import { existsSync, readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { functionsFolder, sourceMapPath } from '../build/source-maps.ts';
import { print } from './print.ts';
import { translateStack } from './translate-stack.ts';

type Options = { function: string };

export default async function ({ function: name }: Options): Promise<void> {
  const path = sourceMapPath(functionsFolder, name);
  if (!existsSync(path))
    throw new Error(`${path} is missing. Run npm run build, and pass the name of an existing function.`);
  const stack = await textOf(process.stdin);
  // Logs contain line feeds as \n escapes.
  const lines = stack.replaceAll('\\n', '\n').trimEnd();
  const map = JSON.parse(readFileSync(path, 'utf8'));
  print(undefined, translateStack(lines, map, `${functionsFolder}/${name}`).split('\n'));
}
