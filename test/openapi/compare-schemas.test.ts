import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { incompatibilities, type Published } from '../../infra/openapi/compatibility.ts';

type Rules = Record<string, unknown>;

/** A document with one operation, whose request and response have these schemas. */
function documentOf(side: 'request' | 'response', schema: unknown, schemas: Rules = {}): Published {
  const message = { content: { 'application/json': { schema } } };
  const operation = side === 'request' ? { requestBody: message } : { responses: { 200: message } };
  return {
    openapi: '3.1.0',
    info: { title: 'One operation', version: '2026-01-01' },
    paths: { '/': { post: { responses: {}, ...operation } } } as Published['paths'],
    components: { schemas },
  };
}

const changes = (
  side: 'request' | 'response',
  before: unknown,
  after: unknown,
  schemas: Rules = {},
  later = schemas,
) => incompatibilities(documentOf(side, before, schemas), documentOf(side, after, later));

/** Whether a change of a request is compatible, and whether the same change of a response is. */
const compatible = (
  ...versions: [unknown, unknown, Rules?, Rules?]
): [request: boolean, response: boolean] => [
  changes('request', ...versions).length === 0,
  changes('response', ...versions).length === 0,
];

const wider = [true, false];
const narrower = [false, true];
const equal = [true, true];
const other = [false, false];

const text = { type: 'string' };
const nothing = { type: 'null' };
const object = (properties: Rules, rules: Rules = {}) => ({ type: 'object', properties, ...rules });
const variant = (kind: string, rules: Rules = {}) =>
  object({ kind: { const: kind }, ...rules }, { required: ['kind'], additionalProperties: false });

test.each<[string, unknown, unknown, boolean[]]>([
  ['a list of types and anyOf are the same', { type: ['string', 'null'] }, { anyOf: [text, nothing] }, equal],
  ['nullable adds null', text, { ...text, nullable: true }, wider],
  ['no type accepts all types', text, {}, wider],
  ['true accepts everything', text, true, wider],
  [
    'enum determines the types',
    { enum: ['a', null] },
    { type: ['string', 'null'], enum: ['a', null] },
    equal,
  ],
  ['an integer is a number', { type: 'integer' }, { type: 'number' }, wider],
  ['rules of another type have no effect', text, { ...text, maximum: 3 }, equal],
  [
    'a rule applies to its type in a list of types',
    { type: ['string', 'number'] },
    { type: ['string', 'number'], maximum: 3 },
    narrower,
  ],
  ['a listed value fits limits', { enum: ['a', 'bc'] }, { ...text, maxLength: 2, minLength: 1 }, wider],
  ['a listed value exceeds a limit', { enum: ['a', 'bc'] }, { ...text, maxLength: 1 }, other],
  ['a listed number fits a limit', { enum: [1, 2] }, { type: 'integer', maximum: 2 }, wider],
  [
    'a listed number equals an exclusive limit',
    { enum: [1, 2] },
    { type: 'integer', exclusiveMaximum: 2 },
    other,
  ],
  ['a listed number has decimal places', { enum: [1.25] }, { type: 'number', 'x-decimal-places': 1 }, other],
  [
    'a removed field with an inherited name',
    object({ constructor: text }, { additionalProperties: false }),
    object({}, { additionalProperties: false }),
    other,
  ],
  ['a listed value fits a pattern', { enum: ['a', 'bc'] }, { ...text, pattern: '^[a-c]+$' }, wider],
  [
    'allOf contains all rules',
    { ...text, maxLength: 3, pattern: '^a' },
    { allOf: [{ ...text, maxLength: 3 }, { pattern: '^a' }] },
    equal,
  ],
  ['another rule in allOf', text, { allOf: [text, { maxLength: 3 }] }, narrower],
  [
    'allOf of objects',
    object({ a: text, b: text }, { required: ['a'] }),
    { allOf: [object({ a: text }, { required: ['a'] }), object({ b: text })] },
    equal,
  ],
  [
    'rules in allOf that cannot be combined',
    { ...text, pattern: '^a' },
    { allOf: [{ ...text, pattern: '^a' }, { pattern: 'b$' }] },
    other,
  ],
  [
    'one option more, which is distinguishable',
    { oneOf: [variant('a')] },
    { oneOf: [variant('a'), variant('b')] },
    wider,
  ],
  [
    'options in another order',
    { oneOf: [variant('a'), variant('b')] },
    { oneOf: [variant('b'), variant('a')] },
    equal,
  ],
  [
    'options that overlap',
    { oneOf: [{ type: 'number' }] },
    { oneOf: [{ type: 'number' }, { minimum: 3, type: 'number' }] },
    other,
  ],
  [
    'a schema without values',
    object({ a: text }),
    { allOf: [object({ a: text }), { type: 'array' }] },
    other,
  ],
  [
    'a field of a map',
    { type: 'object', additionalProperties: text },
    object({ a: { type: 'boolean' } }, { additionalProperties: text }),
    other,
  ],
  ['a field of an open object', { type: 'object' }, object({ a: text }), narrower],
  [
    'a field of a closed object becomes part of a map',
    object({ a: text }, { additionalProperties: false }),
    { type: 'object', additionalProperties: text },
    [true, true],
  ],
  ['a required field without a schema', { type: 'object' }, { type: 'object', required: ['a'] }, narrower],
  [
    'items of a tuple',
    { type: 'array', prefixItems: [text] },
    { type: 'array', prefixItems: [nothing] },
    other,
  ],
  ['a multiple of a multiple', { type: 'integer', multipleOf: 4 }, { type: 'integer', multipleOf: 2 }, wider],
  [
    'a discriminator of another name',
    { ...variant('a'), discriminator: { propertyName: 'kind' } },
    { ...variant('a'), discriminator: { propertyName: 'type' } },
    other,
  ],
])('%s', (_, before, after, expected) => {
  expect(compatible(before, after)).toEqual(expected);
});

const tree = (value: unknown, children: unknown) =>
  object({ value, children: { type: 'array', items: children } }, { additionalProperties: false });
const $ref = '#/components/schemas/Tree';

test('a recursive schema is compared once, also with a copy that has other names', () => {
  const earlier = { Tree: tree(text, { $ref }) };
  const renamed = { Node: tree(text, { $ref: '#/components/schemas/Node' }) };
  expect(compatible({ $ref }, { $ref: '#/components/schemas/Node' }, earlier, renamed)).toEqual(equal);
  const unrolled = { Tree: tree(text, tree(text, { $ref })) };
  expect(compatible({ $ref }, { $ref }, earlier, unrolled)).toEqual(equal);
  const later = { Tree: tree(text, tree({ type: ['string', 'null'] }, { $ref })) };
  expect(compatible({ $ref }, { $ref }, earlier, later)).toEqual(wider);
  expect(changes('response', { $ref }, { $ref }, earlier, later)).toEqual([
    'POST /: Tree.children[].value in responses: the type null is new',
  ]);
});

test('keywords next to a $ref are rules, and a change names the field with the $ref', () => {
  const schemas = { Name: text };
  const refer = (rules: Rules) => object({ name: { $ref: '#/components/schemas/Name', ...rules } });
  expect(compatible(refer({}), refer({ maxLength: 3 }), schemas)).toEqual(narrower);
  expect(changes('request', refer({ maxLength: 5 }), refer({ maxLength: 3 }), schemas)).toEqual([
    'POST /: request body.name: maxLength changes from 5 to 3',
  ]);
});

test('a change of a component is named once for all its operations', () => {
  const two = (schema: unknown): Published => {
    const { paths, ...document } = documentOf('response', { $ref }, { Tree: schema });
    return { ...document, paths: { ...paths, '/other': paths['/'] } };
  };
  expect(incompatibilities(two(object({ a: text })), two(object({ a: nothing })))).toEqual([
    'POST /: Tree.a in responses: the type null is new (2 operations)',
  ]);
});

test('a keyword without a rule is named, and not trusted', () => {
  const [sentence] = changes('request', text, { ...text, not: { const: 'a' } });
  expect(sentence).toBe(
    'POST /: request body: not changes from none to {"const":"a"} (this keyword is not compared)',
  );
  const schemas = { Name: text };
  const not = { not: { $ref: '#/components/schemas/Name' } };
  expect(compatible(not, not, schemas, { Name: nothing })).toEqual(other);
  expect(compatible(not, not, schemas)).toEqual(equal);
});

const word = fc.constantFrom('a', 'b', 'ab', 'abc');
const scalar = fc.oneof(word, fc.constantFrom(-1, 0, 1, 2, 2.5, 7, null, true, false));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'object', 'array');

const { schema } = fc.letrec<{ schema: unknown; leaf: unknown; node: unknown }>((tie) => ({
  leaf: fc
    .record({
      type: maybe(fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }))),
      enum: maybe(fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 })),
      const: fc.option(scalar, { nil: undefined, freq: 9 }),
      minLength: maybe(fc.nat(2)),
      maxLength: maybe(fc.nat(3)),
      pattern: maybe(fc.constantFrom('^a', '^(a|b)', '^(a|b|c)')),
      minimum: maybe(fc.integer({ min: -1, max: 2 })),
      maximum: maybe(fc.integer({ min: 0, max: 7 })),
      multipleOf: fc.option(fc.constantFrom(1, 2, 0.5), { nil: undefined, freq: 5 }),
    })
    .map(defined),
  node: fc
    .record({
      type: maybe(fc.constantFrom('object', 'array', ['object', 'array'])),
      properties: maybe(fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 })),
      required: maybe(fc.subarray(['a', 'b'])),
      additionalProperties: maybe(fc.oneof(fc.boolean(), tie('schema'))),
      items: maybe(tie('schema')),
      maxItems: maybe(fc.nat(2)),
      anyOf: fc.option(fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 3 }),
      oneOf: fc.option(fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 3 }),
      allOf: fc.option(fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 3 }),
    })
    .map(defined),
  schema: fc.oneof({ maxDepth: 2 }, tie('leaf'), tie('node')),
}));

function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
}

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
}));

/** Two schemas, of which the second is often related to the first. */
const schemaPair = fc.tuple(schema, schema, fc.nat(5)).map(([one, another, relation]): [unknown, unknown] => {
  const [removed = ''] = Object.keys(one as object);
  const { [removed]: _, ...rest } = one as Rules;
  const seconds = [
    another,
    rest,
    {},
    { anyOf: [one, another] },
    { allOf: [one, rest] },
    { oneOf: [one, another] },
  ];
  return [one, seconds[relation]];
});

test('a request accepts all values that it accepted before a compatible change', () => {
  // Each schema is used for few values, so that checking it and optimizing its code would take most of the time.
  const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false, code: { optimize: false } });
  const values = fc.sample(value, { numRuns: 200, seed: 1 });
  let accepted = 0;
  fc.assert(
    fc.property(schemaPair, ([before, after]) => {
      if (changes('request', before, after).length > 0) return;
      const [wasValid, isValid] = [ajv.compile(before as object), ajv.compile(after as object)];
      const valid = values.filter((sample) => wasValid(sample));
      accepted += valid.length;
      expect(valid.filter((sample) => !isValid(sample))).toEqual([]);
    }),
    { numRuns: 400 },
  );
  expect(accepted).toBeGreaterThan(100);
});
