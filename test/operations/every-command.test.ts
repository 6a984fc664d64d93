import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import project from '../../package.json' with { type: 'json' };
import { operatorsCommand, runNode } from '../harness/operators-command.ts';
import { commands, labelOf, type NamedCommand, optionsOf } from '../harness/ops-commands.ts';
import { pages, placeOf, textOf } from '../markdown/pages.ts';

/**
 * Patterns of the descriptions of values, each with a valid value. If the value is empty, the word captured by the
 * pattern is used as the value.
 */
const validValues: [RegExp, string][] = [
  [/^an account id$/, 'acc_0000000000000000'],
  [/^an event id$/, '1'],
  [/^an email address$/, 'ada@example.com'],
  [/^an instant/, '2026-03-01T10:30:00Z'],
  [/^non-empty text$/, 'text'],
  [/^a URL such as/, 'http://127.0.0.1:9/'],
  [/^1 to 200 characters/, 'Acme'],
  [/^one of ([^,]+)/, ''],
];

/** Options without which a command sends no request, although they are not required. */
const additional: Readonly<Record<string, readonly string[]>> = {
  'smoke-tests run': ['--base-url', 'http://127.0.0.1:9'],
  'accounts export': ['--account', 'acc_0000000000000000'],
  'events cause': ['lead_created'],
  'dead-letters show': ['--all'],
  'dead-letters redrive': ['--all'],
  'dead-letters remove': ['--all'],
};

const requiredOptionsOf = ({ command }: NamedCommand) =>
  Object.entries(command.parameters.flags ?? {}).filter(
    ([, flag]) => !flag.optional && !('default' in flag && flag.default !== undefined),
  );

/** Returns the required arguments of a command, with valid values. */
function requiredOf(one: NamedCommand): string[] {
  const { positional } = one.command.parameters;
  const operands =
    positional?.kind === 'tuple' ? positional.parameters.filter(({ optional }) => !optional) : [];
  return [
    ...operands.map(({ brief }) => validValue(brief)),
    ...requiredOptionsOf(one).flatMap(([flag, { brief }]) => [labelOf(flag), validValue(brief)]),
  ];
}

function validValue(brief: string): string {
  const expected = / \(([^()]+)\)$/.exec(brief)?.[1] ?? '';
  const [pattern, value] = validValues.find(([pattern]) => pattern.test(expected)) ?? [];
  if (!pattern || value === undefined) throw new Error(`Add a valid value for "${expected}" to this file.`);
  return value || (pattern.exec(expected)?.[1] ?? '');
}

test('npm runs the commands with tsx, and tsx can load the function of each command', async () => {
  expect(commands.length).toBeGreaterThan(20);
  expect(project.scripts.ops).toBe('node --import tsx infra/operations/main.ts');
  // Loads all functions in one process, because loading tsx is slow.
  const script = `
    import ${JSON.stringify(join(root, 'infra/quiet-sdk.ts'))};
    import { ops } from ${JSON.stringify(join(root, 'infra/operations/ops.ts'))};
    for (const { target: group } of ops.root.getAllEntries())
      for (const { name, target } of group.getAllEntries()) {
        const loaded = await target.loader();
        if (typeof (loaded.default ?? loaded) !== 'function') console.log(name.original);
      }`;
  expect(await runNode('--import', 'tsx', '--input-type=module', '-e', script)).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
});

describe.each(commands)('$name', (one) => {
  const { name, words } = one;
  const run = operatorsCommand(...words).here;
  const required = requiredOf(one);
  const hasStage = optionsOf(one).includes('--stage');
  const at = (stage: string) => {
    const given = required.indexOf('--stage');
    return given < 0 ? [...required, '--stage', stage] : required.with(given + 1, stage);
  };

  test('--help prints how to call it and its options, and exits with 0, even with invalid options', async () => {
    const { code, stdout, stderr } = await run('--help', '--nonsense');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`\n  npm run ops -- ${name} `);
    for (const option of [...optionsOf(one), '--help'])
      expect(stdout).toMatch(new RegExp(`^ +\\S* *\\[?${option}\\b`, 'm'));
  });

  test('explains each unknown or missing option in one sentence, and exits with 2', async () => {
    const wrong = [
      [...required, '--nonsense'],
      ...required.map((_, n) => required.slice(0, n)),
      ...(hasStage ? [at('moon')] : []),
    ];
    for (const args of wrong)
      expect(await run(...args), args.join(' ')).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^(?:[^\n]*(?:--|<)\w[^\n]*\n)+$/),
      });
  });

  test('reports an unreachable service in one sentence and exits with 1', async () => {
    // Removes the pauses between retries.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    for (const service of ['DYNAMODB', 'SQS', 'KMS', 'S3', 'SERVICE_QUOTAS'])
      vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, 'http://127.0.0.1:9');
    vi.stubEnv('DATA_DIR', '/nonexistent/merchant-ops');
    onTestFinished(() => void vi.unstubAllEnvs());
    const args = [...(hasStage ? at('local') : required), ...(additional[name] ?? [])];
    vi.stubEnv('API_KEY', 'mo_key_1');
    vi.stubEnv('API_SECRET', 'mo_sk_1');
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout + stderr], args.join(' ')).toEqual([1, expect.stringMatching(/^[^\n]+\n$/)]);
  });
});

test('every document calls existing commands with existing options and all required options', () => {
  const calls = pages.flatMap((page) => {
    const text = textOf(page);
    return [...text.matchAll(/npm run ops -- ([a-z-]+)\s+([a-z-]+)((?:[^`#<\n]|\n(?=[^`\n]*`))*)/g)].map(
      (call) => ({ call, place: placeOf(page, text, call.index) }),
    );
  });
  expect(calls.length).toBeGreaterThan(10);
  for (const { call, place } of calls) {
    const [text, noun = '', verb = '', args = ''] = call;
    const found = commands.find(({ name }) => name === `${noun} ${verb}`);
    if (!found) throw new Error(`${place}: the command ${noun} ${verb} does not exist.`);
    const given = args.match(/--[\w-]+/g) ?? [];
    const message = `${place}: ${text}`;
    expect(optionsOf(found), message).toEqual(expect.arrayContaining(given));
    // A call in a block runs as it stands. A call in a sentence may be only the command.
    if (given.length > 0 && /\n$|^[^`]*$/.test(args))
      expect(given, message).toEqual(
        expect.arrayContaining(requiredOptionsOf(found).map(([flag]) => labelOf(flag))),
      );
  }
});
