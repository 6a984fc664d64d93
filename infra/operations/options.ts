import { parseArgs } from 'node:util';
import { asAccountId } from '../../shared/id/account-id.ts';
import { asInstant } from '../../shared/instant.ts';

/** What may follow an option: in words that can stand after "must be", and read, where undefined is what may not. */
export interface ValueType<T> {
  expected: string;
  parse: (text: string) => T | undefined;
}

export const text: ValueType<string> = { expected: 'some text', parse: (given) => given.trim() || undefined };
export const accountId = { expected: 'the id of an account', parse: asAccountId };
export const instant = { expected: 'an instant such as 2026-03-01T10:30:00Z', parse: asInstant };
export const wholeNumber: ValueType<number> = {
  expected: 'a whole number from 1 on',
  parse: (given) => (/^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined),
};
export const oneOf = <const T extends string>(...words: readonly T[]): ValueType<T> => ({
  expected: `one of ${words.join(', ')}`,
  parse: (given) => words.find((word) => word === given),
});

/**
 * By name, without the dashes, in the order of `--help`. `operand` is what stands without its name, such as `list` in
 * `dead-letters list`; the first one that stands is the first declared.
 */
export type Options = Readonly<
  Record<string, { type: ValueType<unknown> | 'flag'; required?: true; operand?: true; help: string }>
>;

/** What was given: a flag is true or false, an option that is not required may be undefined. */
export type Values<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends { type: ValueType<infer T> }
    ? T | (O[Name] extends { required: true } ? never : undefined)
    : boolean;
};

/** A command was called in a wrong way; the message is one sentence that names the option. */
export class InvalidOption extends Error {
  override readonly name = 'InvalidOption';
}

/** Reads the arguments of a command. Throws InvalidOption for what is unknown, missing or not what it must be. */
export function readOptions<const O extends Options>(options: O, args: readonly string[]): Values<O> {
  const given = textsOf(options, args);
  const missing = Object.entries(options).filter(([name, { required }]) => required && !given.has(name));
  if (missing.length > 0) {
    const names = missing.map(([name, option]) => spelled(name, option));
    const verb = names.length > 1 ? 'are' : 'is';
    throw new InvalidOption(`${names.join(' and ')} ${verb} needed; --help says what for.`);
  }
  const values = Object.entries(options).map(([name, option]) => {
    const found = given.get(name);
    if (option.type === 'flag' || found === undefined)
      return [name, option.type === 'flag' ? found !== undefined : undefined];
    const value = option.type.parse(found);
    if (value === undefined)
      throw new InvalidOption(`${spelled(name, option)} must be ${option.type.expected}.`);
    return [name, value];
  });
  return Object.fromEntries(values) as Values<O>;
}

/** The text behind each option that was given, none of them twice; a flag's is empty. */
function textsOf(options: Options, args: readonly string[]): Map<string, string> {
  const named = Object.entries(options).filter(([, { operand }]) => !operand);
  const operands = Object.keys(options).filter((name) => options[name]?.operand);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      named.map(([name, { type }]) => [name, { type: type === 'flag' ? 'boolean' : 'string' } as const]),
    ),
    // It says in several sentences what is wrong.
    strict: false,
    tokens: true,
  });
  const given = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    const name = token.kind === 'option' ? token.name : operands.shift();
    if (name === undefined) throw new InvalidOption(`${token.value} is one word too many.`);
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (token.kind === 'option') {
      if (!option || option.operand)
        throw new InvalidOption(`${token.rawName} is no option; --help says which there are.`);
      if (option.type === 'flag' && token.value !== undefined)
        throw new InvalidOption(`${token.rawName} takes no value.`);
      // What begins with a dash is taken for the next option, whose value was forgotten then.
      if (
        option.type !== 'flag' &&
        (token.value === undefined || (!token.inlineValue && token.value.startsWith('-')))
      )
        throw new InvalidOption(`${token.rawName} needs a value.`);
      if (given.has(name)) throw new InvalidOption(`${token.rawName} stands twice.`);
    }
    given.set(name, token.value ?? '');
  }
  return given;
}

type Option = Options[string];

const spelled = (name: string, { operand }: Option): string => (operand ? `<${name}>` : `--${name}`);

/** How an option stands in the line that shows a whole call. */
function called(name: string, option: Option): string {
  const full = option.operand || option.type === 'flag' ? spelled(name, option) : `--${name} <${name}>`;
  return option.required ? full : `[${full}]`;
}

/** How a command is called, and a line for each of its options. */
export function describeOptions(command: string, options: Options): string {
  const lines = Object.entries(options).map(([name, option]) => [
    spelled(name, option),
    option.type === 'flag' ? option.help : `${option.help} (${option.type.expected})`,
  ]);
  const width = Math.max(...[...lines, ['--help']].map(([name = '']) => name.length));
  return [
    `  npm run ${command} -- ${Object.entries(options)
      .map(([name, option]) => called(name, option))
      .join(' ')}`,
    '',
    ...[...lines, ['--help', 'this text']].map(([name = '', means]) => `  ${name.padEnd(width)}  ${means}`),
  ].join('\n');
}
