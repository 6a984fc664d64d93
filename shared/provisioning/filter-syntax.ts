/** The grammar of filters and paths (RFC 7644, 3.4.2.2 and 3.5.2). */

/** The name of an attribute: `userName`, `name.givenName` or `urn:…:User:title`. */
export interface AttributeName {
  /** The URN of the schema, if the text contains one. */
  schema?: string;
  name: string;
  sub?: string;
}

export const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type ScimComparison = (typeof comparisons)[number];

export type FilterValue = string | number | boolean | null;

export type ScimFilter =
  | { op: 'and' | 'or'; left: ScimFilter; right: ScimFilter }
  | { op: 'not'; filter: ScimFilter }
  | { op: 'pr'; attribute: AttributeName }
  | { op: ScimComparison; attribute: AttributeName; value: FilterValue }
  /**
   * Elements of a list: `emails[type eq "work"]`. Entra also sends `emails[type eq "work"].value eq "…"`, which the RFC allows
   * only in paths. It means the same as `emails[type eq "work" and value eq "…"]`.
   */
  | { op: 'some'; attribute: AttributeName; filter: ScimFilter };

/** The target of a PATCH operation: an attribute, or elements of a list, or an attribute of these elements. */
export interface PatchPath {
  attribute: AttributeName;
  filter?: ScimFilter;
  /** Only with `filter`: `emails[type eq "work"].value`. */
  sub?: string;
}

/** A text that does not match the grammar. The message names the position. */
export class FilterSyntaxError extends Error {}

/** Deeper nesting is rejected, because parser and evaluation are recursive. */
const deepest = 20;

const token =
  /\s*(?:(?<word>[A-Za-z$][\w$:.-]*)|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<sign>[()[\].]))/y;

interface Token {
  kind: 'word' | 'text' | 'number' | 'sign';
  text: string;
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  const end = source.trimEnd().length;
  while (token.lastIndex < end) {
    const at = token.lastIndex;
    const groups = token.exec(source)?.groups;
    const [kind, text] = Object.entries(groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    if (!kind || text === undefined) throw new FilterSyntaxError(`unexpected text at position ${at + 1}`);
    tokens.push({ kind: kind as Token['kind'], text });
  }
  return tokens;
}

class Parser {
  readonly #tokens: Token[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#tokens = tokensOf(source);
  }

  filter(): ScimFilter {
    if (++this.#depth > deepest) throw new FilterSyntaxError('the nesting is too deep');
    let left = this.#both();
    while (this.#takeWord('or')) left = { op: 'or', left, right: this.#both() };
    this.#depth--;
    return left;
  }

  path(): PatchPath {
    const attribute = this.#attribute();
    if (!this.#takeSign('[')) return { attribute };
    const filter = this.#elements(attribute);
    const sub = this.#part();
    return { attribute, filter, ...(sub !== undefined && { sub }) };
  }

  /** Reads the attribute of an element after its filter: `.value` in `emails[type eq "work"].value`. */
  #part(): string | undefined {
    if (!this.#takeSign('.')) return undefined;
    const sub = dotless(this.#peek());
    if (sub === undefined) throw this.#unexpected();
    this.#at++;
    return sub;
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw this.#unexpected();
  }

  #both(): ScimFilter {
    let left = this.#one();
    while (this.#takeWord('and')) left = { op: 'and', left, right: this.#one() };
    return left;
  }

  #one(): ScimFilter {
    if (this.#peek()?.text.toLowerCase() === 'not' && this.#tokens[this.#at + 1]?.text === '(') {
      this.#at++;
      return { op: 'not', filter: this.#one() };
    }
    if (this.#takeSign('(')) {
      const inner = this.filter();
      this.#require(')');
      return inner;
    }
    const attribute = this.#attribute();
    if (!this.#takeSign('[')) return this.#test(attribute);
    const filter = this.#elements(attribute);
    const sub = this.#part();
    if (sub === undefined) return { op: 'some', attribute, filter };
    return { op: 'some', attribute, filter: { op: 'and', left: filter, right: this.#test({ name: sub }) } };
  }

  #test(attribute: AttributeName): ScimFilter {
    if (this.#takeWord('pr')) return { op: 'pr', attribute };
    const op = comparisons.find((name) => this.#takeWord(name));
    if (!op) throw this.#unexpected();
    return { op, attribute, value: this.#value() };
  }

  #elements({ sub }: AttributeName): ScimFilter {
    if (sub !== undefined) throw this.#unexpected();
    const filter = this.filter();
    this.#require(']');
    return filter;
  }

  #attribute(): AttributeName {
    const next = this.#peek();
    if (next?.kind !== 'word') throw this.#unexpected();
    this.#at++;
    const colon = next.text.lastIndexOf(':');
    const [name = '', sub, ...more] = next.text.slice(colon + 1).split('.');
    if (name === '' || sub === '' || more.length > 0)
      throw new FilterSyntaxError(`${next.text} is not an attribute`);
    return {
      ...(colon >= 0 && { schema: next.text.slice(0, colon) }),
      name,
      ...(sub !== undefined && { sub }),
    };
  }

  #value(): FilterValue {
    const next = this.#peek();
    const words = { true: true, false: false, null: null } as const;
    this.#at++;
    if (next?.kind === 'number') return Number(next.text);
    if (next?.kind === 'text') return readText(next.text);
    const word = next?.text.toLowerCase();
    if (word === 'true' || word === 'false' || word === 'null') return words[word];
    this.#at--;
    throw this.#unexpected();
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #takeWord(word: string): boolean {
    const next = this.#peek();
    const found = next?.kind === 'word' && next.text.toLowerCase() === word;
    if (found) this.#at++;
    return found;
  }

  #takeSign(sign: string): boolean {
    const next = this.#peek();
    const found = next?.kind === 'sign' && next.text === sign;
    if (found) this.#at++;
    return found;
  }

  #require(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#unexpected();
  }

  #unexpected(): FilterSyntaxError {
    const next = this.#peek();
    return new FilterSyntaxError(next ? `${next.text} was not expected` : 'the text ends too early');
  }
}

const dotless = (next: Token | undefined): string | undefined =>
  next?.kind === 'word' && !/[.:]/.test(next.text) ? next.text : undefined;

function readText(text: string): string {
  try {
    return JSON.parse(text);
  } catch {
    throw new FilterSyntaxError(`${text} is not a JSON string`);
  }
}

/** Parses a filter. Throws FilterSyntaxError. */
export function parseFilter(source: string): ScimFilter {
  const parser = new Parser(source);
  const filter = parser.filter();
  parser.end();
  return filter;
}

/** Parses the path of a PATCH operation. Throws FilterSyntaxError. */
export function parsePath(source: string): PatchPath {
  const parser = new Parser(source);
  const path = parser.path();
  parser.end();
  return path;
}
