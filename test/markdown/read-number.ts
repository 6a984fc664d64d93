import { textOf } from './pages.ts';

const units: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/**
 * Reads the first number after a text in a file of the code, such as `const maxRules =`. The number may be a product, as in
 * `7 * 86_400_000` or `72 * hour`. Throws if the file does not contain the text followed by a number.
 */
export function numberAfter(file: string, text: string): number {
  const code = textOf(file);
  const at = code.indexOf(text);
  const product =
    /^[^\w]*?((?:[\d_.]+|second|minute|hour|day)(?: \* (?:[\d_.]+|second|minute|hour|day))*)/.exec(
      code.slice(at + text.length),
    )?.[1];
  if (at < 0 || product === undefined) throw new Error(`${file} contains no number after "${text}".`);
  return product
    .split(' * ')
    .map((factor) => units[factor] ?? Number(factor.replaceAll('_', '')))
    .reduce((one, other) => one * other);
}

/** A number with separators, as the documents write it: `10,000`. */
export const digits = (number: number): string => number.toLocaleString('en-US');

const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** A number up to twelve as a word. */
export const word = (number: number): string => words[number] ?? digits(number);

export const days = (milliseconds: number): number => milliseconds / 86_400_000;
export const hours = (milliseconds: number): number => milliseconds / 3_600_000;
export const minutes = (milliseconds: number): number => milliseconds / 60_000;
export const kilobytes = (bytes: number): number => bytes / 1024;
export const megabytes = (bytes: number): number => kilobytes(bytes) / 1024;

/** Reads the numbers of a list in a file of the code, from a text such as `const gaps = [` to the end of the list. */
export function listAfter(file: string, text: string): number[] {
  const [, list = ''] = textOf(file).split(text);
  const numbers = (list.split(']')[0] ?? '').match(/\d[\d_]*(?:\.\d+)?/g) ?? [];
  if (numbers.length === 0) throw new Error(`${file} contains no list of numbers after "${text}".`);
  return numbers.map((number) => Number(number.replaceAll('_', '')));
}

/** The number of matches in a file. Throws if there are none. */
export function countIn(file: string, pattern: RegExp): number {
  const count = textOf(file).match(pattern)?.length ?? 0;
  if (count === 0) throw new Error(`${file} contains no ${pattern}.`);
  return count;
}
