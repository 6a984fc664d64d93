import { expect, test } from 'vitest';
import { escaped } from '../harness/escaped.ts';
import { pages, placeOf, proseOf } from './pages.ts';
import { foreignAnywhere, foreignNumbers, statedNumbers } from './stated-numbers.ts';

const numberWord = 'three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty';
const number = `(?<![\\w#/-]|\\d[.:]|[A-Z]\\.)\\$?\\d+(?:[,.:]\\d+)*(?:-digit)?(?![\\w])|\\b(?:${numberWord})\\b`;

/** Matches a part of a sentence, also across a line break. */
const patternOf = (part: string, numbers: (text: string) => string): RegExp =>
  new RegExp(
    part
      .trim()
      .split(/\s+/)
      .map((word) => numbers(word))
      .join('\\s+'),
    'gi',
  );

/** Replaces what is not a count with spaces: code, targets of links, numbers of list items, and statuses of HTTP. */
const withoutOthers = (prose: string): string =>
  [
    /`[^`]+`/g,
    /\]\([^)]*\)/g,
    /^ *\d+\. /gm,
    /^### [\d-]+$|^## [\d.]+ \([\d-]+\)$/gm,
    // A status is not followed by the things that it counts.
    /\b(?:20[0-9]|40[0-9]|41[0-3]|42[29]|431|500|503)\b(?!(?: [a-z]+){0,2} ?(?:days|endpoints|bytes|characters|resources|mappings|words))/g,
    // A price of AWS.
    /\$\d[\d,.]*\d|\$\d/g,
  ].reduce((text, other) => text.replaceAll(other, (found) => found.replaceAll(/[^\n]/g, ' ')), prose);

const checked = pages.filter((page) => !['test/costs.md', 'infra/openapi/TOUR.md'].includes(page));

test('every number of a document is compared with the code, or is a fact about something else', () => {
  const open = checked.flatMap((page) => {
    const prose = proseOf(page);
    const parts = [...(statedNumbers[page] ?? []), ...(foreignNumbers[page] ?? []), ...foreignAnywhere];
    const covered = parts.flatMap((part) =>
      [...prose.matchAll(patternOf(part, escaped))].map(({ index, 0: text }) => [index, index + text.length]),
    );
    return [...withoutOthers(prose).matchAll(new RegExp(number, 'gi'))]
      .filter(({ index }) => !covered.some(([from = 0, to = 0]) => index >= from && index < to))
      .map(
        ({ index, 0: text }) =>
          `${placeOf(page, prose, index)}: ${text} in "${prose.slice(Math.max(0, index - 30), index + 30).replaceAll('\n', ' ')}"`,
      );
  });
  expect(open).toEqual([]);
});

test('every stated number equals the number in the code', () => {
  const wrong = checked.flatMap((page) => {
    const prose = proseOf(page);
    return [...(statedNumbers[page] ?? []), ...(foreignNumbers[page] ?? [])]
      .filter((part) => !patternOf(part, escaped).test(prose))
      .map((part) => {
        const similar = patternOf(part, (word) =>
          escaped(word).replaceAll(
            new RegExp(`\\d+(?:(?:,|\\\\\\.)\\d+)*|${numberWord}`, 'gi'),
            `(?:[\\d,.]+|${numberWord})`,
          ),
        ).exec(prose);
        const [text] = similar ?? [];
        return text === undefined || !similar
          ? `${page}: nothing like "${part}"`
          : `${placeOf(page, prose, similar.index)}: "${text.replaceAll(/\s+/g, ' ')}" should be "${part}"`;
      });
  });
  expect(wrong).toEqual([]);
});
