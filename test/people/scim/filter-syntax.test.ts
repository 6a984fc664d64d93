import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matches } from '../../../shared/provisioning/evaluate-filter.ts';
import {
  comparisons,
  FilterSyntaxError,
  type PatchPath,
  parseFilter,
  parsePath,
  type ScimFilter,
} from '../../../shared/provisioning/filter-syntax.ts';
import { printFilter, printPath } from './print-filter.ts';

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/);
const attribute = fc.record(
  { schema: fc.constantFrom('urn:ietf:params:scim:schemas:core:2.0:User'), name, sub: name },
  { requiredKeys: ['name'] },
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
const value = fc.oneof(fc.string({ unit: 'binary' }), number, fc.boolean(), fc.constant(null));
const comparison = fc.record({ op: fc.constantFrom(...comparisons), attribute, value });
const filters = fc.letrec<{ filter: ScimFilter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    comparison,
    fc.record({ op: fc.constant('pr' as const), attribute }),
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      left: tie('filter'),
      right: tie('filter'),
    }),
    fc.record({ op: fc.constant('not' as const), filter: tie('filter') }),
    fc.record({
      op: fc.constant('some' as const),
      attribute: name.map((one) => ({ name: one })),
      filter: tie('filter'),
    }),
  ),
})).filter;

test('a printed filter is parsed into the same filter', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      expect(parseFilter(printFilter(filter))).toEqual(filter);
    }),
  );
});

test('a printed path is parsed into the same path', () => {
  const path: fc.Arbitrary<PatchPath> = fc.oneof(
    attribute.map((one) => ({ attribute: one })),
    fc.record({ attribute: name.map((one) => ({ name: one })), filter: filters }),
    fc.record({ attribute: name.map((one) => ({ name: one })), filter: filters, sub: name }),
  );
  fc.assert(
    fc.property(path, (one) => {
      expect(parsePath(printPath(one))).toEqual(one);
    }),
  );
});

test.each([
  '',
  'userName',
  'userName eq',
  'userName eq ada',
  'userName is "ada"',
  'userName eq "ada" and',
  '(userName eq "ada"',
  'userName eq "ada")',
  'emails[type eq "work"',
  'emails[].value',
  'name..givenName eq "a"',
  'a.b.c eq "a"',
  'not userName eq "ada"',
  'userName eq "a\nb',
  'userName eq "\\x"',
  `${'('.repeat(30)}a pr${')'.repeat(30)}`,
])('%j is not a filter', (text) => {
  expect(() => parseFilter(text)).toThrow(FilterSyntaxError);
});

test('any text is parsed or rejected', () => {
  const words = fc.array(fc.constantFrom('a', 'eq', 'and', 'not', '(', ')', '[', ']', '"x"', '.', '1', 'pr'));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        words.map((list) => list.join(' ')),
      ),
      (text) => {
        try {
          expect(parseFilter(printFilter(parseFilter(text)))).toEqual(parseFilter(text));
        } catch (error) {
          expect(error).toBeInstanceOf(FilterSyntaxError);
        }
      },
    ),
  );
});

describe('a filter', () => {
  const ada = {
    id: 'Ab',
    userName: 'ada@example.com',
    externalId: 'X7',
    active: true,
    name: { givenName: 'Ada', familyName: 'Byron' },
    emails: [
      { value: 'ada@work.test', type: 'work', primary: true },
      { value: 'ada@home.test', type: 'home' },
    ],
    meta: { created: '2026-11-29T10:00:00.000Z' },
  };

  test.each([
    ['userName eq "ADA@example.com"', true],
    ['USERNAME EQ "ada@example.com"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ada"', true],
    ['externalId eq "X7"', true],
    ['externalId eq "x7"', false],
    ['externalId pr', true],
    ['title pr', false],
    ['title eq null', true],
    ['title ne "a"', true],
    ['active eq true', true],
    ['active eq "True"', true],
    ['active eq "False"', false],
    ['name.familyName co "YR"', true],
    ['name.familyName ew "on"', true],
    ['emails co "home.test"', true],
    ['emails.type eq "work"', true],
    ['emails[type eq "work" and value co "@work"]', true],
    ['emails[type eq "home" and primary eq true]', false],
    ['not (emails[type eq "other"])', true],
    ['not (userName eq "ada@example.com") or active eq true', true],
    ['userName eq "x" or active eq true and name.givenName eq "Ada"', true],
    ['(userName eq "x" or active eq true) and name.givenName eq "Bob"', false],
    ['meta.created gt "2026-11-29T10:30:00+01:00"', true],
    ['meta.created lt "2026-11-29T10:00:00Z"', false],
    ['meta.created ge "2026-11-29T10:00:00Z"', true],
    ['id eq "ab"', false],
  ])('%s is %s', (text, expected) => {
    expect(matches(parseFilter(text), ada)).toBe(expected);
  });

  test.each(['active gt true', 'userName gt null', 'userName co 7', 'meta.created gt "yesterday"'])(
    '%s is not a valid comparison',
    (text) => {
      expect(() => matches(parseFilter(text), ada)).toThrow(
        expect.objectContaining({ code: 'scim_filter_invalid' }),
      );
    },
  );

  test('and its negation exclude each other', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        const result = (one: ScimFilter) => {
          try {
            return matches(one, ada);
          } catch {
            return undefined;
          }
        };
        const [holds, negated] = [result(filter), result({ op: 'not', filter })];
        expect(negated).toBe(holds === undefined ? undefined : !holds);
      }),
    );
  });
});
