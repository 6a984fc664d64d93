import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import project from '../../package.json' with { type: 'json' };
import { commandHere } from '../harness/command-here.ts';
import { runNode } from '../harness/operators-command.ts';

/** The file of each command, by the name that npm has it under. */
const commands = Object.entries(project.scripts).flatMap(([name, script]) => {
  const [, path] = /(infra\/operations\/\S+)/.exec(script) ?? [];
  return path === undefined ? [] : [{ name, path }];
});

/** A valid value for each type of option, by its description in `--help`. Empty: the captured word. */
const fitting: [RegExp, string][] = [
  [/^the id of an account$/, 'acc_0000000000000000'],
  [/^the id of an event/, '1'],
  [/^an email address$/, 'ada@example.com'],
  [/^an instant/, '2026-03-01T10:30:00Z'],
  [/^some text$/, 'text'],
  [/^1 to 200 characters/, 'Acme'],
  [/^one of ([^,]+)/, ''],
];

/** What a call needs beside its required options to ask anybody. */
const besides: Readonly<Record<string, readonly string[]>> = {
  smoke: ['--base-url', 'http://127.0.0.1:9'],
  // Or a file to read, which takes no service.
  'account:export': ['--account', 'acc_0000000000000000'],
};

interface Option {
  /** As it is spelled: `--stage`, or `<action>`. */
  spelled: string;
  /** What may follow it; undefined of a flag. */
  is: string | undefined;
  required: boolean;
}

/** The options that a `--help` shows. */
function optionsIn(help: string): Option[] {
  const [, call = ''] = /^ {2}npm run (.*)$/m.exec(help) ?? [];
  return [...help.matchAll(/^ {2}(--[\w-]+|<[\w-]+>) +(.+)$/gm)].map(([, spelled = '', means = '']) => ({
    spelled,
    is: / \(([^()]+)\)$/.exec(means)?.[1],
    required: spelled !== '--help' && !call.includes(`[${spelled}`),
  }));
}

/** The least that a command can be called with. */
const leastOf = (options: readonly Option[]): string[] =>
  options
    .filter(({ required }) => required)
    .flatMap(({ spelled, is = '' }) => {
      const [words, value] = fitting.find(([words]) => words.test(is)) ?? [];
      if (!words || value === undefined) throw new Error(`Say in this file what ${is} may be.`);
      const given = value || words.exec(is)?.[1] || '';
      return spelled.startsWith('<') ? [given] : [spelled, given];
    });

const helps = new Map<string, string>();
for (const { name, path } of commands) helps.set(name, (await commandHere(path, '--help')).stdout);
const optionsOf = (name: string): Option[] => optionsIn(helps.get(name) ?? '');

test('there are commands, each with an option at least', () => {
  expect(commands.length).toBeGreaterThan(10);
  for (const { name } of commands)
    expect(
      optionsOf(name).map(({ spelled }) => spelled),
      name,
    ).toEqual(expect.arrayContaining(['--help']));
});

test('npm starts each by tsx, which loads it', async () => {
  for (const { name, path } of commands)
    expect(project.scripts).toHaveProperty([name], `node --import tsx ${path}`);
  // One after the other in one process: to load tsx takes longer than all of them.
  const script = `for (const path of ${JSON.stringify(commands.map(({ path }) => join(root, path)))}) {
    process.argv = [process.execPath, path, '--help'];
    await import(path);
  }`;
  const explained = commands.map(({ name }) => helps.get(name));
  expect(await runNode('--import', 'tsx', '--input-type=module', '-e', script)).toEqual({
    code: 0,
    stdout: explained.join(''),
    stderr: '',
  });
});

describe.each(commands)('$name', ({ name, path }) => {
  const options = optionsOf(name);
  const least = leastOf(options);
  const hasStage = options.some(({ spelled }) => spelled === '--stage');
  const at = (stage: string) => {
    const given = least.indexOf('--stage');
    return given < 0 ? [...least, '--stage', stage] : least.with(given + 1, stage);
  };
  const oneSentence = expect.stringMatching(/^[^\n]+\n$/);

  test('explains itself by --help and ends with 0, whatever else stands there', async () => {
    expect(await commandHere(path, '--help', '--nonsense')).toEqual({
      code: 0,
      stdout: helps.get(name),
      stderr: '',
    });
  });

  test('ends with 2 and one sentence for an option that is unknown, missing or no stage', async () => {
    const wrong = [
      [...least, '--nonsense'],
      ...least.map((_, n) => least.slice(0, n)).filter((some) => some.length < least.length),
      ...(hasStage ? [at('moon')] : []),
    ];
    for (const args of wrong)
      expect(await commandHere(path, ...args), args.join(' ')).toEqual({
        code: 2,
        stdout: '',
        stderr: oneSentence,
      });
  });

  test('ends with 1 and one sentence where nothing answers', async () => {
    // No waits between the attempts.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    for (const service of ['DYNAMODB', 'SQS', 'KMS', 'S3'])
      vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, 'http://127.0.0.1:9');
    vi.stubEnv('DATA_DIR', '/nonexistent/merchant-ops');
    onTestFinished(() => void vi.unstubAllEnvs());
    const args = [...(hasStage ? at('local') : least), ...(besides[name] ?? [])];
    vi.stubEnv('API_KEY', 'mo_key_1');
    vi.stubEnv('API_SECRET', 'mo_sk_1');
    const { code, stdout, stderr } = await commandHere(path, ...args);
    expect([code, stdout + stderr], args.join(' ')).toEqual([1, oneSentence]);
  });
});

const texts = ['README.md', join('infra', 'handbook.md')].map((file) =>
  readFileSync(join(root, file), 'utf8'),
);

test('README and handbook call commands with options that they have, and with all that they need', () => {
  const calls = texts
    .flatMap((text) => [...text.matchAll(/npm run ([\w:-]+) -- ([^`#<\n]+(?:\n[^`#<\n]+(?=`))?)/g)])
    .flatMap(([, name = '', args = '']) => (helps.has(name) ? [{ name, args }] : []));
  expect(calls.length).toBeGreaterThan(10);
  for (const { name, args } of calls) {
    const given = args.match(/--[\w-]+/g) ?? [];
    const options = optionsOf(name).filter(({ spelled }) => spelled.startsWith('--'));
    expect(
      options.map(({ spelled }) => spelled),
      `${name} ${args}`,
    ).toEqual(expect.arrayContaining(given));
    const needed = options.filter(({ required }) => required).map(({ spelled }) => spelled);
    expect(given, `${name} ${args}`).toEqual(expect.arrayContaining(needed));
  }
});
