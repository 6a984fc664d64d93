import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { type NativeEngine, nativeEngine } from '../../infra/local/native-engine.ts';
import { runEngine } from '../../infra/local/run-engine.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** The program of the npm package, if this platform has one. */
function packagedProgram(): string | undefined {
  try {
    return join(
      dirname(createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json')),
      'dynoxide',
    );
  } catch {
    return undefined;
  }
}
const packaged = packagedProgram();
const noPackage = () => undefined;

/** Writes a program that prints a text and ends. */
function programThatPrints(text: string, name = 'dynoxide'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, `#!/bin/sh\necho '${text}'\n`);
  chmodSync(path, 0o700);
  return path;
}

/** Starts the engine on an empty file and returns the names of its tables. */
async function tablesOf(engine: NativeEngine | undefined): Promise<string[] | undefined> {
  if (!engine) throw new Error('There is no engine');
  const { endpoint, stop } = await runEngine(engine.on(join(temporaryFolder(), 'table.db')));
  onTestFinished(stop);
  const client = new DynamoDBClient({ endpoint });
  onTestFinished(() => client.destroy());
  return (await client.send(new ListTablesCommand({}))).TableNames;
}

test.skipIf(!packaged)('the program at the path in DYNOXIDE is used first', async () => {
  const path = join(temporaryFolder(), 'my-engine');
  symlinkSync(packaged ?? '', path);
  const engine = nativeEngine({ DYNOXIDE: path });
  expect(engine?.on('file').program).toBe(path);
  expect(await tablesOf(engine)).toEqual([]);
});

test.skipIf(!packaged)('the program of the npm package is used before a program in PATH', () => {
  const environment = { PATH: dirname(programThatPrints('dynoxide 9.9.9')) };
  expect(nativeEngine(environment)?.on('file').program).toBe(packaged);
});

test.skipIf(!packaged)('without the npm package, dynoxide in PATH is used', async () => {
  const folder = temporaryFolder();
  symlinkSync(packaged ?? '', join(folder, 'dynoxide'));
  const path = [folder, process.env.PATH].join(delimiter);
  vi.stubEnv('PATH', path);
  onTestFinished(() => void vi.unstubAllEnvs());
  const engine = nativeEngine({ PATH: path }, noPackage);
  expect(engine?.version).toBe(nativeEngine({})?.version);
  expect(await tablesOf(engine)).toEqual([]);
});

test('without a package and a program in PATH, there is no native engine', () => {
  expect(nativeEngine({ PATH: temporaryFolder() }, noPackage)).toBeUndefined();
  expect(nativeEngine({ PATH: temporaryFolder(), DYNOXIDE: '' }, noPackage)).toBeUndefined();
});

test('a path in DYNOXIDE that does not exist is an error, also if there is a package', () => {
  const path = join(temporaryFolder(), 'missing');
  expect(() => nativeEngine({ DYNOXIDE: path })).toThrow(
    `DYNOXIDE is "${path}", but there is no such program.`,
  );
});

test.each([
  ['another program', () => programThatPrints('another 1.0.0')],
  ['a folder', () => temporaryFolder()],
  [
    'a file that cannot be run',
    () => {
      const path = programThatPrints('dynoxide 1.2.1');
      chmodSync(path, 0o600);
      return path;
    },
  ],
])('%s in DYNOXIDE is an error', (_, create) => {
  const path = create();
  expect(() => nativeEngine({ DYNOXIDE: path })).toThrow(
    `The program "${path}" is not Dynoxide: it does not print its version.`,
  );
});

test('another program named dynoxide in PATH is an error', () => {
  const PATH = dirname(programThatPrints('another 1.0.0'));
  expect(() => nativeEngine({ PATH }, noPackage)).toThrow('The program "dynoxide" is not Dynoxide');
});

test('a wrong DYNOXIDE ends npm start with the reason', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'infra/local/main.ts', '--ephemeral'],
    {
      cwd: root,
      env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: '', DYNOXIDE: '/nowhere/dynoxide', PORT: '0' },
      encoding: 'utf8',
    },
  );
  expect([status, stderr.trim().split('\n').at(-1)]).toEqual([
    1,
    'DYNOXIDE is "/nowhere/dynoxide", but there is no such program.',
  ]);
});
