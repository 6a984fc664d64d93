import { describe, expect, test } from 'vitest';
import { cleanBody, sensitiveValuesIn } from '../../shared/body-capture/clean-body.ts';
import { cleanText, newCleaning } from '../../shared/body-capture/clean-text.ts';
import { workBudget } from '../../shared/body-capture/work-budget.ts';
import type { Shape } from '../../shared/endpoints/shape.ts';

/** Texts that are almost a sensitive value, again and again. */
const hostile: Readonly<Record<string, string>> = {
  spaces: ' ',
  'schemes of URLs': 'http://',
  'URLs in URLs': 'a:b://',
  'users of URLs': 'http://a@b',
  'queries of URLs': 'x://y?z ',
  digits: '1',
  'single digits': '4 ',
  'groups of a card number': '4111 ',
  'digits with dashes': '4-',
  'nine digits': '123456789 ',
  'parts of Social Security numbers': '321-54-987',
  labels: 'password ',
  'labels with colons': 'password:',
  'quotation marks that do not end': 'password:"',
  'escaped quotation marks': 'pwd:\\"\\',
  verbs: 'token is ',
  colons: ':',
  tags: '<a>',
  'beginnings of tags': '<a ',
  'words for accounts': 'account ',
  'beginnings of IBANs': 'de89 ',
  'IBANs without check digits': 'DE89ABCD',
  'beginnings of PEM blocks': '-----BEGIN ',
  'beginnings of tokens': 'eyJaaaaaaaa.',
  'beginnings of ids': 'a_b_c_1',
  'ids with digits': '12345678-1234-4123-8123-123456789012 ',
  'hexadecimal digits': 'abcdef0123',
  'beginnings of credentials': 'sk-',
  'digits of another script': '\u0661',
  letters: 'é',
};

const timeOf = (text: string): number => {
  const started = performance.now();
  cleanText(text);
  return performance.now() - started;
};

/**
 * For a text of 16 times the length, linear work takes 16 times as long, and quadratic work 256 times. A shorter time is
 * measured if another process delays a measurement, so each text is measured until the factor is small enough.
 */
const largestFactor = 100;

describe('the time for removing sensitive values is linear in the length of', () => {
  test.each(Object.entries(hostile))('%s', (_, part) => {
    const texts = [1, 4, 16, 64].map((kilobytes) => part.repeat((kilobytes * 1024) / part.length));
    const best = texts.map(() => Number.POSITIVE_INFINITY);
    const factor = () => (best[3] ?? 0) / Math.min(best[1] ?? 0, (best[2] ?? 0) / 4, (best[0] ?? 0) * 4);
    for (let round = 0; round < 3 || (round < 40 && factor() > largestFactor); round++)
      for (const [index, text] of texts.entries()) best[index] = Math.min(best[index] ?? 0, timeOf(text));
    expect(factor()).toBeLessThan(largestFactor);
  });
});

describe('the work for a body', () => {
  const shape: Shape = { fields: { secrets: { items: 'sensitive' }, texts: { items: 'value' } } };
  const workFor = (secrets: string[], texts: string[]) => {
    const body = { secrets, texts };
    const budget = workBudget();
    const clean = cleanBody(body, shape, newCleaning(sensitiveValuesIn(body, shape), new Date(), budget));
    return { steps: budget.spent(), texts: (clean as { texts: string[] }).texts };
  };
  const list = (length: number, text: (n: number) => string) => Array.from({ length }, (_, n) => text(n));

  test('does not grow with the number of secrets, if the texts contain none of them', () => {
    const texts = list(700, (n) => `Text ${n} of the body`);
    const few = workFor(['hunter2-hunter2'], texts);
    const many = workFor(
      list(700, (n) => `hunter${n}-hunter`),
      texts,
    );
    expect(many).toEqual(few);
    expect(many.texts).toEqual(texts);
  });

  test('is limited: if secrets and texts begin with the same characters, the remaining texts are REDACTED as a whole', () => {
    const same = 'a'.repeat(120);
    const { steps, texts } = workFor(
      list(700, (n) => `${same}${n}`),
      ['Called on Monday', ...list(700, () => same)],
    );
    expect(steps).toBeLessThan(1_100_000);
    expect([texts[0], texts.at(-1)]).toEqual(['Called on Monday', 'REDACTED']);
    for (const [n, text] of texts.slice(1).entries()) expect([same, 'REDACTED'], String(n)).toContain(text);
  });

  test('does not end before the largest request and its response are read once', () => {
    const texts = list(256, () => 'x'.repeat(2048));
    expect(workFor([], texts).texts).toEqual(texts);
  });
});
