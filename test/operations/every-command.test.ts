import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import project from '../../package.json' with { type: 'json' };
import { commandHere } from '../harness/command-here.ts';
import { runNode } from '../harness/operators-command.ts';

/** The npm scripts that run an operators' command. */
const commands = Object.entries(project.scripts).flatMap(([name, script]) => {
  const [, path] = /(infra\/operations\/\S+)/.exec(script) ?? [];
  return path === undefined ? [] : [{ name, path }];
});

/**
 * Patterns of option descriptions in `--help`, each with a valid value. If the value is empty, the word captured by the
 * pattern is used as the value.
 */
const validValues: [RegExp, string][] = [
  [/^an account id$/, 'acc_0000000000000000'],
  [/^an event id$/, '1'],
  [/^an email address$/, 'ada@example.com'],
  [/^an http or https URL$/, 'http://127.0.0.1:9/'],
  [/^an instant/, '2026-03-01T10:30:00Z'],
  [/^non-empty text$/, 'text'],
  [/^1 to 200 characters/, 'Acme'],
  [/^one of ([^,]+)/, ''],
];

/** Options without which a command sends no request, although `--help` does not show them as required. */
const additional: Readonly<Record<string, readonly string[]>> = {
  smoke: ['--base-url', 'http://127.0.0.1:9'],
  'account:export': ['--account', 'acc_0000000000000000'],
  trigger: ['lead_created'],
};

interface Option {
  /** `--stage` or `<action>`. */
  label: string;
  /** The description of the value, such as `an account id`; undefined for a flag. */
  expected: string | undefined;
  required: boolean;
}

/** Parses the options in a `--help` text. */
function optionsIn(help: string): Option[] {
  const [, call = ''] = /^ {2}npm run (.*)$/m.exec(help) ?? [];
  return [...help.matchAll(/^ {2}(--[\w-]+|<[\w-]+>) +(.+)$/gm)].map(([, label = '', help = '']) => ({
    label,
    expected: / \(([^()]+)\)$/.exec(help)?.[1],
    required: label !== '--help' && !call.includes(`[${label}`),
  }));
}

/** Returns the required arguments of a command, with valid values. */
const requiredOf = (options: readonly Option[]): string[] =>
  options
    .filter(({ required }) => required)
    .flatMap(({ label, expected = '' }) => {
      const [pattern, value] = validValues.find(([pattern]) => pattern.test(expected)) ?? [];
      if (!pattern || value === undefined)
        throw new Error(`Add a valid value for "${expected}" to this file.`);
      const given = value || pattern.exec(expected)?.[1] || '';
      return label.startsWith('<') ? [given] : [label, given];
    });

const helps = new Map<string, string>();
for (const { name, path } of commands) helps.set(name, (await commandHere(path, '--help')).stdout);
const optionsOf = (name: string): Option[] => optionsIn(helps.get(name) ?? '');

test('npm runs each command with tsx, and tsx can load the command', async () => {
  expect(commands.length).toBeGreaterThan(10);
  for (const { name, path } of commands)
    expect(project.scripts).toHaveProperty([name], `node --import tsx ${path}`);
  // Loads all commands in one process, because loading tsx is slow.
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
  const required = requiredOf(options);
  const hasStage = options.some(({ label }) => label === '--stage');
  const at = (stage: string) => {
    const given = required.indexOf('--stage');
    return given < 0 ? [...required, '--stage', stage] : required.with(given + 1, stage);
  };
  const oneSentence = expect.stringMatching(/^[^\n]+\n$/);

  test('--help prints the npm script and the options, and exits with 0, even with invalid options', async () => {
    expect(helps.get(name)).toContain(`\n  npm run ${name} -- `);
    expect(options).toContainEqual({ label: '--help', expected: undefined, required: false });
    expect(await commandHere(path, '--help', '--nonsense')).toEqual({
      code: 0,
      stdout: helps.get(name),
      stderr: '',
    });
  });

  test('explains an unknown or missing option and an unknown stage in one sentence, and exits with 2', async () => {
    const wrong = [
      [...required, '--nonsense'],
      ...required.map((_, n) => required.slice(0, n)),
      ...(hasStage ? [at('moon')] : []),
    ];
    for (const args of wrong)
      expect(await commandHere(path, ...args), args.join(' ')).toEqual({
        code: 2,
        stdout: '',
        stderr: oneSentence,
      });
  });

  test('reports an unreachable service in one sentence and exits with 1', async () => {
    // Removes the pauses between retries.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    for (const service of ['DYNAMODB', 'SQS', 'KMS', 'S3'])
      vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, 'http://127.0.0.1:9');
    vi.stubEnv('DATA_DIR', '/nonexistent/merchant-ops');
    onTestFinished(() => void vi.unstubAllEnvs());
    const args = [...(hasStage ? at('local') : required), ...(additional[name] ?? [])];
    vi.stubEnv('API_KEY', 'mo_key_1');
    vi.stubEnv('API_SECRET', 'mo_sk_1');
    const { code, stdout, stderr } = await commandHere(path, ...args);
    expect([code, stdout + stderr], args.join(' ')).toEqual([1, oneSentence]);
  });
});

const texts = ['README.md', join('infra', 'handbook.md')].map((file) =>
  readFileSync(join(root, file), 'utf8'),
);

test('README and handbook call commands with existing options and all required options', () => {
  const calls = texts
    .flatMap((text) => [...text.matchAll(/npm run ([\w:-]+) -- ([^`#<\n]+(?:\n[^`#<\n]+(?=`))?)/g)])
    .flatMap(([, name = '', args = '']) => (helps.has(name) ? [{ name, args }] : []));
  expect(calls.length).toBeGreaterThan(10);
  for (const { name, args } of calls) {
    const given = args.match(/--[\w-]+/g) ?? [];
    const options = optionsOf(name).filter(({ label }) => label.startsWith('--'));
    const labels = options.map(({ label }) => label);
    expect(labels, `${name} ${args}`).toEqual(expect.arrayContaining(given));
    const required = options.filter(({ required }) => required).map(({ label }) => label);
    expect(given, `${name} ${args}`).toEqual(expect.arrayContaining(required));
  }
});
