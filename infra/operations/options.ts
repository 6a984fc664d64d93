import { emailIn, normalizeEmail } from '../../shared/formats.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import { asInstant, isRegionalZone } from '../../shared/instant.ts';
import type { StageSettings } from '../stage-settings.ts';
import { stageNames } from '../stages.ts';

/** The type of an option's value. */
export interface ValueType<T> {
  /** Completes the sentence "The option must be …". */
  expected: string;
  /** Returns undefined for an invalid value. */
  parse: (text: string) => T | undefined | Promise<T>;
  /** The values that the completion proposes. A function loads values whose modules would make `--help` slow. */
  values?: readonly string[] | (() => Promise<readonly string[]>);
}

/** An error with the exit code 2. The message is one sentence that names the option. */
export class InvalidOption extends Error {
  override readonly name = 'InvalidOption';
}

export const text: ValueType<string> = {
  expected: 'non-empty text',
  parse: (given) => given.trim() || undefined,
};
export const account = { expected: 'an account id', parse: asAccountId };
export const userEmail: ValueType<string> = {
  expected: 'an email address',
  parse(given) {
    const email = emailIn(given);
    return email && normalizeEmail(email);
  },
};
export const address: ValueType<string> = {
  expected: 'a URL such as https://api.example.com',
  parse: (given) => (URL.canParse(given) && /^https?:/i.test(given) ? given : undefined),
};
export const instant = { expected: 'an instant such as 2026-03-01T10:30:00Z', parse: asInstant };
export const timeZone: ValueType<string> = {
  expected: 'an IANA time zone such as America/New_York',
  parse: (given) => (isRegionalZone(given) ? given : undefined),
};
export const wholeNumber: ValueType<number> = {
  expected: 'a positive whole number',
  parse: (given) => (/^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined),
};
export const choice = <const T extends string>(...values: readonly T[]): ValueType<T> => ({
  expected: `one of ${values.join(', ')}`,
  parse: (given) => values.find((value) => value === given),
  values,
});
/** Reads the settings of the stage. Throws if `stages.local.json` is invalid. */
export const stage: ValueType<StageSettings> = {
  ...choice(...stageNames),
  parse: (given) =>
    stageNames.some((name) => name === given)
      ? import('../stage-overrides.ts').then(({ overriddenStage }) => overriddenStage(given).stage)
      : undefined,
};

const parsed = <T>(label: string, { expected, parse, values = [] }: ValueType<T>, help: string) => ({
  brief: `${help} (${expected})`,
  parse: (given: string): T | Promise<T> => {
    const value = parse(given);
    if (value === undefined) throw new InvalidOption(`${label} must be ${expected}.`.trim());
    return value;
  },
  proposeCompletions: () => (typeof values === 'function' ? values() : values),
});

/** An option without which the command does not run. */
export const requiredOption = <T>(type: ValueType<T>, help: string) =>
  ({ kind: 'parsed', ...parsed('', type, help) }) as const;

export const optionalOption = <T>(type: ValueType<T>, help: string) =>
  ({ kind: 'parsed', optional: true, ...parsed('', type, help) }) as const;

/** An option with a default, which `--help` shows. */
export const defaultedOption = <T>(type: ValueType<T>, value: string, help: string) =>
  ({ kind: 'parsed', default: value, ...parsed('', type, help) }) as const;

/** An option without a value. */
export const flag = (help: string) =>
  ({ kind: 'boolean', optional: true, withNegated: false, brief: help }) as const;

/** A value without an option name, such as the file in `records import leads leads.csv`. */
export const operand = <T>(name: string, type: ValueType<T>, help: string) => ({
  placeholder: name,
  ...parsed(`<${name}>`, type, help),
});
