import { asList, includes, type Variant } from './schema-variants.ts';

/**
 * The use of a schema. A request may become wider: it must accept all values that it accepted before. A response may
 * become narrower: it must return no other values than before, except new fields and new values of enums.
 */
export type Side = 'request' | 'response';

/** Two versions of a variant. */
export interface Versions {
  before: Variant;
  after: Variant;
  side: Side;
}

/** Orders two versions: the first must not have values that the second does not have. */
export const narrowAndWide = <T>(side: Side, before: T, after: T): [narrow: T, wide: T] =>
  side === 'request' ? [before, after] : [after, before];

/** Returns a text if the change of `enum` or `const` may break a client. */
export function changedValues({ before, after, side }: Versions): string | undefined {
  // A response must not lose a value either, because a renamed value is a lost and a new value.
  const [kept, among] = [before.values, after.values];
  if (side === 'request' && among && !kept) return `only ${shownList(among)} is accepted`;
  if (side === 'response' && kept && !among) return `other values than ${shownList(kept)} are returned`;
  if (!kept || !among) return undefined;
  const lost = kept.filter((value) => !includes(among, value));
  if (lost.length === 0) return undefined;
  return `${shownList(lost)} is no longer ${side === 'request' ? 'accepted' : 'returned'}`;
}

/** Returns a text if the change of another keyword may break a client. */
export function changedKeyword(keyword: string, versions: Versions): string | undefined {
  const rule = Object.hasOwn(rules, keyword) ? rules[keyword] : undefined;
  if (rule && !rule(versions, keyword)) return undefined;
  const [before, after] = [versions.before, versions.after].map((variant) => shown(variant.rules[keyword]));
  return `${keyword} changes from ${before} to ${after}${rule ? '' : ' (this keyword is not compared)'}`;
}

/** Reports whether the change of a keyword may break a client. It is called only if the keyword has changed. */
type Breaks = (versions: Versions, keyword: string) => boolean;

const annotation: Breaks = () => false;

/** The values must not exceed the limit. */
const upperLimit: Breaks = ({ before, after, side }, keyword) => {
  const [narrow, wide] = narrowAndWide(side, before, after);
  const most = Math.min(
    Number(narrow.rules[keyword] ?? Infinity),
    Math.max(...measured(narrow, keyword, Infinity)),
  );
  return most > Number(wide.rules[keyword] ?? Infinity);
};

/** The values must reach the limit. Lengths and counts are at least 0. */
const lowerLimit: Breaks = ({ before, after, side }, keyword) => {
  const [narrow, wide] = narrowAndWide(side, before, after);
  const none = keyword in lengths ? 0 : -Infinity;
  const least = Math.max(Number(narrow.rules[keyword] ?? none), Math.min(...measured(narrow, keyword, none)));
  return least < Number(wide.rules[keyword] ?? none);
};

const lengths: Readonly<Record<string, true>> = { minLength: true, minItems: true, minProperties: true };

/** Returns the measures of the only values of a variant. If it has other values, or no measure, returns `otherwise`. */
function measured({ values }: Variant, keyword: string, otherwise: number): number[] {
  const measures = values?.map((value) => {
    if (/^m..imum$/.test(keyword)) return Number(value);
    return /^m..Length$/.test(keyword) ? [...String(value)].length : otherwise;
  });
  return measures?.length ? measures : [otherwise];
}

/** The values must have this property. So only the version with more values may lose it. */
const required: Breaks = ({ before, after, side }, keyword) => {
  const [, wide] = narrowAndWide(side, before, after);
  return (wide.rules[keyword] ?? false) !== false;
};

const pattern: Breaks = (versions, keyword) => {
  const [narrow, wide] = narrowAndWide(versions.side, versions.before, versions.after);
  const expected = wide.rules.pattern;
  if (typeof expected !== 'string') return false;
  if (narrow.values) return !narrow.values.every((value) => new RegExp(expected, 'u').test(String(value)));
  return !matchesLess(String(narrow.rules[keyword]), expected);
};

/**
 * Reports whether two patterns differ only in lists of words such as `(name|status)`, and each list of the first pattern
 * is a part of the list of the second. The values of `sort` have such patterns.
 */
function matchesLess(narrow: string, wide: string): boolean {
  const [few, many] = [narrow, wide].map((text) => text.split(/\((\w+(?:\|\w+)*)\)/));
  // In these patterns, more words may match fewer texts.
  if (/\(\?<?!|\[\^/.test(narrow) || few?.length !== many?.length) return false;
  return asList<string>(few).every((text, index) => {
    const other = many?.[index] ?? '';
    const words = other.split('|');
    return index % 2 === 0 ? text === other : text.split('|').every((word) => words.includes(word));
  });
}

const multipleOf: Breaks = ({ before, after, side }, keyword) => {
  const [narrow, wide] = narrowAndWide(side, before, after);
  const divisor = wide.rules[keyword];
  return divisor !== undefined && Number(narrow.rules[keyword] ?? Number.NaN) % Number(divisor) !== 0;
};

/** The forms of texts, each with more characters than the previous form. Stored texts may have an earlier form. */
const textForms = ['name', 'line', 'multiline', 'verbatim'];
const textForm: Breaks = ({ before, after, side }, keyword) => {
  const [earlier = 0, later = 0] = [before, after].map(({ rules }) =>
    textForms.indexOf(String(rules[keyword] ?? 'line')),
  );
  return side === 'request' && (later < earlier || later === -1);
};

const changedInRequest: Breaks = ({ side }) => side === 'request';
const addedIn =
  (affected: Side): Breaks =>
  ({ after, side }, keyword) =>
    side === affected && after.rules[keyword] === true;
const removedFromRequest: Breaks = ({ before, side }, keyword) =>
  side === 'request' && before.rules[keyword] === true;

const discriminator: Breaks = ({ before, after }, keyword) => {
  const [earlier, later] = [before, after].map(
    ({ rules }) => (rules[keyword] as { propertyName?: string } | undefined)?.propertyName,
  );
  return earlier !== undefined && earlier !== later;
};

const rules: Readonly<Record<string, Breaks>> = {
  maxLength: upperLimit,
  maximum: upperLimit,
  exclusiveMaximum: upperLimit,
  maxItems: upperLimit,
  maxProperties: upperLimit,
  'x-max-bytes': upperLimit,
  'x-decimal-places': upperLimit,
  minLength: lowerLimit,
  minimum: lowerLimit,
  exclusiveMinimum: lowerLimit,
  minItems: lowerLimit,
  minProperties: lowerLimit,
  multipleOf,
  pattern,
  format: required,
  contentEncoding: required,
  contentMediaType: required,
  uniqueItems: required,
  'x-text': textForm,
  // The default is used for a missing value of a request.
  default: changedInRequest,
  readOnly: addedIn('request'),
  writeOnly: addedIn('response'),
  'x-volatile': removedFromRequest,
  'x-expiry': removedFromRequest,
  discriminator,
  // These keywords are compared by the comparison of schemas and operations.
  properties: annotation,
  required: annotation,
  additionalProperties: annotation,
  items: annotation,
  contentSchema: annotation,
  // These keywords do not restrict the values.
  title: annotation,
  description: annotation,
  $comment: annotation,
  example: annotation,
  examples: annotation,
  deprecated: annotation,
  externalDocs: annotation,
  'x-redacts': annotation,
  // Clients must accept other values than the listed ones.
  'x-extensible-enum': annotation,
};

const shown = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));
const shownList = (values: readonly unknown[]): string => values.map(shown).join(', ');
