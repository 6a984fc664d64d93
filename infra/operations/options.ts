import { parseArgs } from 'node:util';
import { asAccountId } from '../../shared/id/account-id.ts';
import { asInstant } from '../../shared/instant.ts';

/** The type of an option's value. */
export interface ValueType<T> {
  /** Completes the sentence "The option must be …". */
  expected: string;
  /** Returns undefined for an invalid value. */
  parse: (text: string) => T | undefined;
}

export const text: ValueType<string> = {
  expected: 'non-empty text',
  parse: (given) => given.trim() || undefined,
};
export const accountId = { expected: 'an account id', parse: asAccountId };
export const instant = { expected: 'an instant such as 2026-03-01T10:30:00Z', parse: asInstant };
export const timeZone: ValueType<string> = {
  expected: 'an IANA time zone such as America/New_York',
  parse: (given) => {
    try {
      // Zones without a region, such as EST, ignore daylight saving time.
      return given === 'UTC' || /^(?!Etc\/)\w+\//.test(given)
        ? new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone
        : undefined;
    } catch {
      return undefined;
    }
  },
};
export const wholeNumber: ValueType<number> = {
  expected: 'a positive whole number',
  parse: (given) => (/^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined),
};
export const oneOf = <const T extends string>(...words: readonly T[]): ValueType<T> => ({
  expected: `one of ${words.join(', ')}`,
  parse: (given) => words.find((word) => word === given),
});

/**
 * Options by name without dashes, in the order of `--help`. An `operand` is a value without an option name, such as
 * `list` in `dead-letters list`. Operands are assigned in their declared order.
 */
export type Options = Readonly<
  Record<string, { type: ValueType<unknown> | 'flag'; required?: true; operand?: true; help: string }>
>;

/** The parsed values. Flags are booleans. Options that are not required may be undefined. */
export type Values<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends { type: ValueType<infer T> }
    ? T | (O[Name] extends { required: true } ? never : undefined)
    : boolean;
};

/** The message is one sentence that names the option. */
export class InvalidOption extends Error {
  override readonly name = 'InvalidOption';
}

/** Parses the arguments of a command. Throws InvalidOption for unknown, missing and invalid options. */
export function readOptions<const O extends Options>(options: O, args: readonly string[]): Values<O> {
  const given = textsOf(options, args);
  const missing = Object.entries(options).filter(([name, { required }]) => required && !given.has(name));
  if (missing.length > 0) {
    const names = missing.map(([name, option]) => labelOf(name, option));
    const verb = names.length > 1 ? 'are' : 'is';
    throw new InvalidOption(`${names.join(' and ')} ${verb} required. See --help.`);
  }
  const values = Object.entries(options).map(([name, option]) => {
    const found = given.get(name);
    if (option.type === 'flag' || found === undefined)
      return [name, option.type === 'flag' ? found !== undefined : undefined];
    const value = option.type.parse(found);
    if (value === undefined)
      throw new InvalidOption(`${labelOf(name, option)} must be ${option.type.expected}.`);
    return [name, value];
  });
  return Object.fromEntries(values) as Values<O>;
}

/** Returns the text of each given option. The text of a flag is empty. Throws for repeated options. */
function textsOf(options: Options, args: readonly string[]): Map<string, string> {
  const named = Object.entries(options).filter(([, { operand }]) => !operand);
  const operands = Object.keys(options).filter((name) => options[name]?.operand);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      named.map(([name, { type }]) => [name, { type: type === 'flag' ? 'boolean' : 'string' } as const]),
    ),
    // Prevents `parseArgs` from throwing its own errors. The errors below have messages of one sentence.
    strict: false,
    tokens: true,
  });
  const given = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    const name = token.kind === 'option' ? token.name : operands.shift();
    if (name === undefined) throw new InvalidOption(`Unexpected argument ${token.value}. See --help.`);
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (token.kind === 'option') {
      if (!option || option.operand) throw new InvalidOption(`Unknown option ${token.rawName}. See --help.`);
      if (option.type === 'flag' && token.value !== undefined)
        throw new InvalidOption(`${token.rawName} takes no value.`);
      // A value that starts with a dash is probably the next option, so the value of this option is missing.
      if (
        option.type !== 'flag' &&
        (token.value === undefined || (!token.inlineValue && token.value.startsWith('-')))
      )
        throw new InvalidOption(`${token.rawName} needs a value.`);
      if (given.has(name)) throw new InvalidOption(`${token.rawName} is given twice.`);
    }
    given.set(name, token.value ?? '');
  }
  return given;
}

type Option = Options[string];

const labelOf = (name: string, { operand }: Option): string => (operand ? `<${name}>` : `--${name}`);

function usageOf(name: string, option: Option): string {
  const full = option.operand || option.type === 'flag' ? labelOf(name, option) : `--${name} <${name}>`;
  return option.required ? full : `[${full}]`;
}

/** The usage line of a command and a line for each of its options. */
export function describeOptions(command: string, options: Options): string {
  const lines = Object.entries(options).map(([name, option]) => [
    labelOf(name, option),
    option.type === 'flag' ? option.help : `${option.help} (${option.type.expected})`,
  ]);
  const width = Math.max(...[...lines, ['--help']].map(([name = '']) => name.length));
  return [
    `  npm run ${command} -- ${Object.entries(options)
      .map(([name, option]) => usageOf(name, option))
      .join(' ')}`,
    '',
    ...[...lines, ['--help', 'prints this text']].map(
      ([name = '', means]) => `  ${name.padEnd(width)}  ${means}`,
    ),
  ].join('\n');
}
