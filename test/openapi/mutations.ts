import type { Published } from '../../infra/openapi/compatibility.ts';

type Side = 'request' | 'response';
type Rules = Record<string, unknown>;

/** A schema or an operation of a document. */
interface Place {
  /** The keys of the value from the root of the document. */
  keys: readonly string[];
  value: Rules;
  /** The messages that contain values of the schema. */
  sides: ReadonlySet<Side>;
  /** The texts that each sentence about a change at this place must contain. */
  names: readonly string[];
  /** True for an option of `anyOf` or `oneOf`. Other options may have the same types. */
  isOption: boolean;
}

const valueAt = (document: unknown, keys: readonly string[]): unknown =>
  keys.reduce((value, key) => (value as Rules)[key], document);

/** Returns a copy of a document with another value at a place. The copy shares all other values. */
export function withValue<D extends object>(document: D, keys: readonly string[], value: unknown): D {
  const [key = '', ...rest] = keys;
  const copy = (Array.isArray(document) ? [...document] : { ...document }) as Rules;
  copy[key] = rest.length === 0 ? value : withValue(copy[key] as object, rest, value);
  return copy as D;
}

/** Returns all operations. */
export const operationPlaces = ({ paths }: Published): Place[] =>
  Object.entries(paths as Record<string, Record<string, Rules>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => ({
      keys: ['paths', path, method],
      value,
      sides: new Set<Side>(['request']),
      names: [`${method.toUpperCase()} ${path}`.replace('GET /webhook events/', 'Webhook ')],
      isOption: false,
    })),
  );

/** Returns all schemas in the messages of the operations. */
export function schemaPlaces(document: Published): Place[] {
  const found = new Map<string, Place>();
  const visit = (
    keys: readonly string[],
    side: Side,
    root: readonly string[],
    field = '',
    isOption = false,
  ) => {
    const value = valueAt(document, keys) as Rules | boolean | undefined;
    if (typeof value !== 'object') return;
    const key = keys.join('\n');
    const { sides = new Set<Side>() } = found.get(key) ?? {};
    if (sides.has(side)) return;
    found.set(key, { keys, value, sides: new Set([...sides, side]), names: [...root, field], isOption });
    if (typeof value.$ref === 'string') {
      const component = value.$ref.slice(2).split('/');
      visit(component, side, component.slice(2), '', isOption);
    }
    for (const name of Object.keys(value.properties ?? {}))
      visit([...keys, 'properties', name], side, root, `.${name}`);
    visit([...keys, 'items'], side, root, field);
    visit([...keys, 'additionalProperties'], side, root, field);
    for (const keyword of ['anyOf', 'oneOf'])
      for (const index of Object.keys(value[keyword] ?? {}))
        visit([...keys, keyword, index], side, root, field, true);
  };
  /** Returns the keys of a value, or those of the component to which it refers. */
  const referred = (keys: readonly string[]) => {
    const { $ref } = valueAt(document, keys) as { $ref?: string };
    return $ref === undefined ? keys : $ref.slice(2).split('/');
  };
  const visitContent = (keys: readonly string[], side: Side, root: readonly string[]) => {
    const { content = {} } = valueAt(document, keys) as { content?: Rules };
    for (const type of Object.keys(content)) visit([...keys, 'content', type, 'schema'], side, root);
  };
  for (const { keys, value, names } of operationPlaces(document)) {
    for (const index of Object.keys(value.parameters ?? {})) {
      const parameter = referred([...keys, 'parameters', index]);
      const { name } = valueAt(document, parameter) as { name: string };
      visit([...parameter, 'schema'], 'request', parameter[0] === 'paths' ? names : [], name);
    }
    if (value.requestBody) visitContent([...keys, 'requestBody'], 'request', [...names, 'request']);
    for (const status of Object.keys(value.responses ?? {})) {
      const response = referred([...keys, 'responses', status]);
      const isOwn = response[0] === 'paths';
      visitContent(response, 'response', isOwn ? [...names, `response ${status}`] : [`response ${status}`]);
    }
  }
  return [...found.values()];
}

/** Whether clients break that send requests, and clients that read responses. */
type Effect = Readonly<Record<Side, boolean>>;

/** Returns the changed value and the name of the changed field, or undefined if the value cannot be changed so. */
type Change = (value: Rules, place: Place) => { value: Rules; field?: string } | undefined;

interface Mutation {
  effect: Effect;
  change: Change;
}

const wider: Effect = { request: false, response: true };
const narrower: Effect = { request: true, response: false };
const breaking: Effect = { request: true, response: true };
const harmless: Effect = { request: false, response: false };

export const isBreaking = ({ effect }: Mutation, { sides }: Place): boolean =>
  [...sides].some((side) => effect[side]);

const hasValues = (value: Rules) => 'enum' in value || 'const' in value;
const typesOf = ({ type }: Rules) => (type === undefined ? [] : [type].flat()) as string[];
const isOnly = (value: Rules, type: string) => value.type === type && !hasValues(value);

/** Sets keywords of the schemas that a condition selects. The value `undefined` removes a keyword. */
const sets =
  (condition: (value: Rules, place: Place) => boolean, keywords: (value: Rules) => Rules): Change =>
  (value, place) =>
    condition(value, place) ? { value: defined({ ...value, ...keywords(value) }) } : undefined;

const defined = (value: Rules): Rules =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));

/** Changes a number that is a limit. */
const limit = (keyword: string, by: number): Change =>
  sets(
    (value) => typeof value[keyword] === 'number' && !hasValues(value) && Number(value[keyword]) + by >= 0,
    (value) => ({ [keyword]: Number(value[keyword]) + by }),
  );
const removes = (keyword: string): Change =>
  sets(
    (value) => value[keyword] !== undefined && !hasValues(value),
    () => ({ [keyword]: undefined }),
  );
const adds = (type: string, keyword: string, added: unknown): Change =>
  sets(
    (value) => typesOf(value).includes(type) && value[keyword] === undefined && !hasValues(value),
    () => ({ [keyword]: added }),
  );
/** Replaces a type by another. Options may already have the other type. */
const retypes = (type: string, other: string | string[]): Change =>
  sets(
    (value, { isOption }) => isOnly(value, type) && !isOption && !('oneOf' in value),
    () => ({ type: other }),
  );

const isLong = (value: Rules) => Array.isArray(value.enum) && value.enum.length > 1;
const isClosed = (value: Rules) => value.additionalProperties === false;
const propertiesOf = (value: Rules) => (value.properties ?? {}) as Record<string, Rules>;
const requiredOf = (value: Rules) => (value.required ?? []) as string[];

/** Changes the first field of an object that a condition selects. */
const changesField =
  (
    condition: (name: string, value: Rules) => boolean,
    change: (name: string, value: Rules) => Rules,
  ): Change =>
  (value) => {
    const field = Object.keys(propertiesOf(value)).find((name) => condition(name, value));
    return field === undefined
      ? undefined
      : { value: { ...value, ...change(field, value) }, field: `.${field}` };
  };
const removesField = changesField(
  () => true,
  (name, { properties, required, ...value }) => ({
    properties: defined({ ...(properties as Rules), [name]: undefined }),
    required: requiredOf({ required }).filter((other) => other !== name),
    ...value,
  }),
);
const requiresField = changesField(
  (name, value) => !requiredOf(value).includes(name),
  (name, value) => ({ required: [...requiredOf(value), name] }),
);
const omitsField = changesField(
  (name, value) => requiredOf(value).includes(name),
  (name, value) => ({ required: requiredOf(value).filter((other) => other !== name) }),
);
const isDeclared = (value: Rules) => isClosed(value) && value.properties !== undefined;

/** The changes of schemas. */
export const schemaMutations: Readonly<Record<string, Mutation>> = {
  'a string becomes a boolean': { effect: breaking, change: retypes('string', 'boolean') },
  'an integer becomes a string': { effect: breaking, change: retypes('integer', 'string') },
  'a boolean becomes a string': { effect: breaking, change: retypes('boolean', 'string') },
  'an object becomes an array': { effect: breaking, change: retypes('object', 'array') },
  'an array becomes an object': { effect: breaking, change: retypes('array', 'object') },
  'an integer becomes a number': { effect: wider, change: retypes('integer', 'number') },
  'a number becomes an integer': { effect: narrower, change: retypes('number', 'integer') },
  'a text may also be a number': { effect: wider, change: retypes('string', ['string', 'number']) },
  'an integer may also be null': { effect: wider, change: retypes('integer', ['integer', 'null']) },
  'an object may also be null': { effect: wider, change: retypes('object', ['object', 'null']) },
  'a value is no longer null': {
    effect: narrower,
    change: sets(
      (value) => typesOf(value).includes('null') && typesOf(value).length > 1 && !hasValues(value),
      (value) => ({ type: typesOf(value).filter((type) => type !== 'null') }),
    ),
  },
  'the type is removed': {
    effect: wider,
    change: sets(
      (value) => typesOf(value).length > 0 && !hasValues(value),
      () => ({ type: undefined }),
    ),
  },
  'another format': {
    effect: breaking,
    change: sets(
      ({ format }) => format !== undefined,
      () => ({ format: 'time' }),
    ),
  },
  'a format is removed': { effect: wider, change: removes('format') },
  'a format is added': { effect: narrower, change: adds('string', 'format', 'uuid') },
  'another pattern': {
    effect: breaking,
    change: sets(
      ({ pattern }) => pattern !== undefined,
      ({ pattern }) => ({ pattern: `${pattern}|^-$` }),
    ),
  },
  'a pattern is removed': { effect: wider, change: removes('pattern') },
  'a pattern is added': { effect: narrower, change: adds('string', 'pattern', '^a') },
  'a field more to sort by': {
    effect: wider,
    change: sets(
      ({ pattern }) => String(pattern).startsWith('^-?('),
      ({ pattern }) => ({
        pattern: String(pattern).replaceAll('(', '(another|').replaceAll('(another|,', '(,'),
      }),
    ),
  },
  'a field less to sort by': {
    effect: breaking,
    change: sets(
      ({ pattern }) => String(pattern).startsWith('^-?(') && String(pattern).includes('|'),
      ({ pattern }) => ({ pattern: String(pattern).replaceAll(/\(\w+\|/g, '(') }),
    ),
  },
  'a longer text': { effect: wider, change: limit('maxLength', 1) },
  'a shorter text': { effect: narrower, change: limit('maxLength', -1) },
  'no maximum length': { effect: wider, change: removes('maxLength') },
  'a new maximum length': { effect: narrower, change: adds('string', 'maxLength', 5) },
  'a larger minimum length': { effect: narrower, change: limit('minLength', 1) },
  'a smaller minimum length': { effect: wider, change: limit('minLength', -1) },
  'no minimum length': {
    effect: wider,
    change: sets(
      (value) => Number(value.minLength) > 0 && !hasValues(value),
      () => ({ minLength: undefined }),
    ),
  },
  'a larger maximum': { effect: wider, change: limit('maximum', 1) },
  'a smaller maximum': { effect: narrower, change: limit('maximum', -1) },
  'no maximum': { effect: wider, change: removes('maximum') },
  'a larger minimum': { effect: narrower, change: limit('minimum', 1) },
  'a smaller minimum': { effect: wider, change: limit('minimum', -1) },
  'a new minimum': { effect: narrower, change: adds('integer', 'minimum', 7) },
  'more items': { effect: wider, change: limit('maxItems', 1) },
  'fewer items': { effect: narrower, change: limit('maxItems', -1) },
  'a new limit of items': { effect: narrower, change: adds('array', 'maxItems', 3) },
  'a larger minimum of items': { effect: narrower, change: limit('minItems', 1) },
  'a smaller minimum of items': { effect: wider, change: limit('minItems', -1) },
  'unique items': { effect: narrower, change: adds('array', 'uniqueItems', true) },
  'items are no longer unique': { effect: wider, change: removes('uniqueItems') },
  'more decimal places': { effect: wider, change: limit('x-decimal-places', 1) },
  'fewer decimal places': { effect: narrower, change: limit('x-decimal-places', -1) },
  'more bytes': { effect: wider, change: limit('x-max-bytes', 1) },
  'fewer bytes': { effect: narrower, change: limit('x-max-bytes', -1) },
  'a text of one line': {
    effect: { request: true, response: false },
    change: sets(
      (value) => value['x-text'] === 'multiline',
      () => ({ 'x-text': undefined }),
    ),
  },
  'a text of several lines': {
    effect: harmless,
    change: sets(
      (value) => isOnly(value, 'string') && value['x-text'] === undefined,
      () => ({ 'x-text': 'multiline' }),
    ),
  },
  'a new value': {
    effect: harmless,
    change: sets(
      (value) => Array.isArray(value.enum),
      (value) => ({ enum: [...(value.enum as unknown[]), 'new'] }),
    ),
  },
  'a lost value': {
    effect: breaking,
    change: sets(isLong, (value) => ({ enum: (value.enum as unknown[]).slice(1) })),
  },
  'a renamed value': {
    effect: breaking,
    change: sets(isLong, (value) => ({ enum: ['new', ...(value.enum as unknown[]).slice(1)] })),
  },
  'values are no longer listed': {
    effect: wider,
    change: sets(
      (value) => Array.isArray(value.enum),
      () => ({ enum: undefined }),
    ),
  },
  'values are listed': {
    effect: narrower,
    change: sets(
      (value) =>
        isOnly(value, 'string') && Number(value.minLength ?? 0) <= 1 && !value.pattern && !value.format,
      () => ({ enum: ['one', 'two'] }),
    ),
  },
  'another constant': {
    effect: breaking,
    change: sets(
      (value) => typeof value.const === 'string',
      () => ({ const: 'another' }),
    ),
  },
  'a constant becomes a list of values': {
    effect: harmless,
    change: sets(
      (value) => typeof value.const === 'string',
      (value) => ({ const: undefined, enum: [value.const, 'another'] }),
    ),
  },
  'a removed field': { effect: breaking, change: removesField },
  'a renamed field': {
    effect: breaking,
    change: changesField(
      (name, value) => isClosed(value) && !requiredOf(value).includes(name),
      (name, value) => ({
        properties: defined({
          ...propertiesOf(value),
          [name]: undefined,
          renamed: propertiesOf(value)[name],
        }),
      }),
    ),
  },
  'a new field': {
    effect: harmless,
    change: sets(isDeclared, (value) => ({
      properties: { ...propertiesOf(value), another: { type: 'string' } },
    })),
  },
  'a new required field': {
    effect: narrower,
    change: (value) =>
      isDeclared(value)
        ? {
            value: {
              ...value,
              properties: { ...propertiesOf(value), another: { type: 'string' } },
              required: [...requiredOf(value), 'another'],
            },
            field: '.another',
          }
        : undefined,
  },
  'a field becomes required': { effect: narrower, change: requiresField },
  'a field becomes optional': { effect: wider, change: omitsField },
  'other fields are accepted': {
    effect: harmless,
    change: sets(isClosed, () => ({ additionalProperties: true })),
  },
  'other fields are no longer accepted': {
    effect: breaking,
    change: sets(
      (value) => value.additionalProperties === true || typeof value.additionalProperties === 'object',
      () => ({ additionalProperties: false }),
    ),
  },
  'items of any type': {
    effect: wider,
    change: sets(
      // Items without a type have no rule for texts, which a referenced schema may have.
      (value) => value.items !== undefined && !/x-text|\$ref/.test(JSON.stringify(value.items)),
      () => ({ items: undefined }),
    ),
  },
  'another default': {
    effect: narrower,
    change: sets(
      (value) => 'default' in value,
      () => ({ default: 'another' }),
    ),
  },
  'a new default': { effect: narrower, change: adds('string', 'default', 'new') },
  'a read-only field': { effect: narrower, change: adds('string', 'readOnly', true) },
  'a field is no longer read-only': { effect: harmless, change: removes('readOnly') },
  'a write-only field': { effect: wider, change: adds('string', 'writeOnly', true) },
  'one option more': {
    effect: wider,
    change: sets(
      (value) => Array.isArray(value.anyOf),
      (value) => ({ anyOf: [...(value.anyOf as unknown[]), { type: 'boolean' }] }),
    ),
  },
  'one option less': {
    effect: narrower,
    change: sets(
      (value) => Array.isArray(value.oneOf ?? value.anyOf),
      (value) => ({
        [value.oneOf ? 'oneOf' : 'anyOf']: ((value.oneOf ?? value.anyOf) as unknown[]).slice(1),
      }),
    ),
  },
  'an unknown keyword': {
    effect: breaking,
    change: sets(
      (value) => !('$ref' in value),
      () => ({ propertyNames: { maxLength: 1 }, not: { const: 1 } }),
    ),
  },
  'an annotation': {
    effect: harmless,
    change: sets(
      () => true,
      () => ({ title: 'Another title', deprecated: true }),
    ),
  },
  'the same rules in allOf': { effect: harmless, change: (value) => ({ value: { allOf: [value] } }) },
  'the same rules in anyOf': { effect: harmless, change: (value) => ({ value: { anyOf: [value] } }) },
};

/** Changes one keyword of the operations that have it. `field` is a text that a sentence about the change contains. */
const keyword =
  <T>(name: string, field: string, change: (value: T) => unknown): Change =>
  (value) => {
    const changed = value[name] === undefined ? undefined : change(value[name] as T);
    return changed === undefined ? undefined : { value: { ...value, [name]: changed }, field };
  };
const parameters = (field: string, change: (parameters: Rules[]) => Rules[] | undefined): Change =>
  keyword('parameters', field, change);
/** Changes the first parameter in a query. */
const queryParameter = (field: string, change: (parameter: Rules) => Rules): Change =>
  parameters(field, (all) => {
    const index = all.findIndex((parameter) => parameter.in === 'query' && parameter.required !== true);
    const found = all[index];
    return found && all.with(index, change(found));
  });
const body = (field: string, change: (body: Rules) => Rules): Change => keyword('requestBody', field, change);
const contentOf = ({ content }: Rules) => content as Rules;
const renamed = (content: Rules) => ({ 'application/xml': Object.values(content)[0] });
/** Changes the first response whose status matches. */
const response = (status: RegExp, change: (status: string, response: Rules) => Rules): Change =>
  keyword('responses', 'response', (all: Rules) => {
    const found = Object.keys(all).find((name) => status.test(name));
    return found === undefined
      ? undefined
      : defined({ ...all, [found]: undefined, ...change(found, all[found] as Rules) });
  });
const list = (name: string, field: string, change: (values: string[]) => string[]): Change =>
  keyword(name, field, change);

/** The changes of operations. Their effect is that on requests. */
export const operationMutations: Readonly<Record<string, Mutation>> = {
  'another operationId': { effect: breaking, change: keyword('operationId', 'operationId', () => 'another') },
  'a removed parameter': { effect: breaking, change: parameters('parameter', (all) => all.slice(1)) },
  'a new required parameter': {
    effect: breaking,
    change: parameters('another', (all) => [...all, { name: 'another', in: 'query', required: true }]),
  },
  'a new optional parameter': {
    effect: harmless,
    change: parameters('', (all) => [...all, { name: 'another', in: 'query', schema: { type: 'string' } }]),
  },
  'a required header': {
    effect: breaking,
    change: parameters('x-another', (all) => [...all, { name: 'x-another', in: 'header', required: true }]),
  },
  'a parameter becomes required': {
    effect: breaking,
    change: queryParameter('is now required', (parameter) => ({ ...parameter, required: true })),
  },
  'a parameter in another place': {
    effect: breaking,
    change: queryParameter('query parameter', (parameter) => ({ ...parameter, in: 'header' })),
  },
  'a parameter in another style': {
    effect: breaking,
    change: queryParameter('explode', (parameter) => ({ ...parameter, explode: true })),
  },
  'a deprecated parameter': {
    effect: harmless,
    change: queryParameter('', (parameter) => ({ ...parameter, deprecated: true })),
  },
  'parameters in another order': {
    effect: harmless,
    change: parameters('', (all) => all.toReversed()),
  },
  'a required body': {
    effect: breaking,
    change: (value) =>
      value.requestBody === undefined && value.operationId !== undefined
        ? { value: { ...value, requestBody: { required: true, content: {} } }, field: 'request' }
        : undefined,
  },
  'an optional body': { effect: harmless, change: body('', (value) => ({ ...value, required: false })) },
  'a removed body': {
    effect: breaking,
    change: ({ requestBody, ...value }) =>
      requestBody === undefined ? undefined : { value, field: 'request' },
  },
  'another content type of a body': {
    effect: breaking,
    change: body('request', (value) => ({ ...value, content: renamed(contentOf(value)) })),
  },
  'one content type more of a body': {
    effect: harmless,
    change: body('', (value) => ({
      ...value,
      content: { ...contentOf(value), ...renamed(contentOf(value)) },
    })),
  },
  'an unknown keyword of a body': {
    effect: breaking,
    change: body('encoding', (value) => ({
      ...value,
      content: { 'application/json': { ...(contentOf(value)['application/json'] as Rules), encoding: {} } },
    })),
  },
  'another status of a success': {
    effect: breaking,
    change: response(/^2/, (status, value) => ({ [Number(status) + 5]: value })),
  },
  'one success more': {
    effect: breaking,
    change: response(/^2/, (status, value) => ({ [status]: value, 207: value })),
  },
  'a removed status of an error': { effect: breaking, change: response(/^4/, () => ({})) },
  'a new status of an error': {
    effect: harmless,
    change: response(/^4/, (status, value) => ({ [status]: value, 451: value })),
  },
  'another content type of a response': {
    effect: breaking,
    change: response(/^2/, (status, value) => ({ [status]: { ...value, content: {} } })),
  },
  'one content type more of a response': {
    effect: harmless,
    change: response(/^2/, (status, value) => ({
      [status]: { ...value, content: { ...(value.content as Rules), 'text/csv': {} } },
    })),
  },
  'credentials that are no longer accepted': {
    effect: breaking,
    change: keyword('security', 'credentials', (all: Rules[]) => (all.length > 1 ? all.slice(1) : undefined)),
  },
  'credentials for a public operation': {
    effect: breaking,
    change: keyword('security', 'credentials', (all: Rules[]) =>
      all.length === 0 ? [{ apiKey: [] }] : undefined,
    ),
  },
  'one credential more': {
    effect: breaking,
    change: keyword('security', 'credentials', (all: Rules[]) =>
      all.length > 0 ? all.map((one) => ({ ...one, another: [] })) : undefined,
    ),
  },
  'other credentials': {
    effect: harmless,
    change: keyword('security', '', (all: Rules[]) =>
      all.length > 0 ? [...all, { another: [] }] : undefined,
    ),
  },
  'a permission more': {
    effect: breaking,
    change: list('x-required-permissions', 'readAll', (all) => [...all, 'readAll']),
  },
  'a permission less': {
    effect: harmless,
    change: list('x-required-permissions', '', (all) => all.slice(1)),
  },
  'one of the sufficient permissions less': {
    effect: breaking,
    change: list('x-any-permission', 'sufficient', (all) => all.slice(1)),
  },
  'only administrators': {
    effect: breaking,
    change: (value) =>
      value['x-administrator-only'] === undefined
        ? { value: { ...value, 'x-administrator-only': true }, field: 'administrators' }
        : undefined,
  },
  'an event less': { effect: breaking, change: list('x-emits', 'emitted', (all) => all.slice(1)) },
  'a happening less': { effect: breaking, change: list('x-happenings', 'happening', (all) => all.slice(1)) },
  'a happening more': { effect: harmless, change: list('x-happenings', '', (all) => [...all, 'another']) },
  'an event more': { effect: harmless, change: list('x-emits', '', (all) => [...all, 'another']) },
  'an unknown keyword': {
    effect: breaking,
    change: (value) => ({ value: { ...value, callbacks: {} }, field: 'callbacks' }),
  },
  'other texts': {
    effect: harmless,
    change: (value) => ({ value: { ...value, summary: 'Another', tags: ['another'], deprecated: true } }),
  },
};
