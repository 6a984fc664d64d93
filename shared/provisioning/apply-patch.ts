import { fieldNamed, fieldOfObject, isObject, type Json, matches } from './evaluate-filter.ts';
import { FilterSyntaxError, type PatchPath, parsePath, type ScimFilter } from './filter-syntax.ts';
import { scimError } from './scim-failure.ts';

/** How a PATCH treats an attribute. Other attributes are not supported: a PATCH ignores them. */
type AttributeKind = 'simple' | 'complex' | 'list' | 'read-only';

/** The attributes of a resource type. */
export interface PatchedType {
  /** The URN of the core schema, which a path may contain. */
  schema: string;
  attributes: Readonly<Record<string, AttributeKind>>;
}

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path?: string;
  value?: unknown;
}

const mostOperations = 1000;

/** Reads the body of a PATCH. Entra sends `Add` and `Replace`. Throws `invalidValue`. */
export function readOperations(body: unknown): PatchOperation[] {
  const sent = fieldOfObject(body, 'Operations');
  if (!Array.isArray(sent) || sent.length === 0)
    throw scimError('invalidValue', 'Operations is missing or empty.');
  if (sent.length > mostOperations)
    throw scimError('invalidValue', `A PATCH can have at most ${mostOperations} operations.`);
  return sent.map((one) => {
    const op = String(fieldOfObject(one, 'op')).toLowerCase();
    const [path, value] = [fieldOfObject(one, 'path') ?? undefined, fieldOfObject(one, 'value')];
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw scimError('invalidValue', 'op must be add, replace or remove.');
    if (path !== undefined && typeof path !== 'string')
      throw scimError('invalidPath', 'path must be a text.');
    return { op, ...(path !== undefined && path !== '' && { path }), value };
  });
}

/**
 * Applies the operations to a copy of a resource (RFC 7644, 3.5.2). Where identity providers differ from the RFC, the
 * operation has the effect that its sender means: a missing parent or list element is created, `value` may name the elements
 * to remove, and null or an empty text removes a value. Throws `invalidPath`, `invalidValue`, `mutability` and `noTarget`.
 */
export function applyPatch(type: PatchedType, resource: Json, operations: readonly PatchOperation[]): Json {
  const patched = structuredClone(resource);
  for (const operation of operations) {
    if (operation.path !== undefined) {
      change(type, patched, operation, readPath(operation.path), false);
      continue;
    }
    if (operation.op === 'remove') throw scimError('noTarget', 'A removal needs a path.');
    if (!isObject(operation.value))
      throw scimError('invalidValue', 'Without a path, value must be an object.');
    for (const [name, value] of Object.entries(operation.value)) {
      // An extension, or the core attributes below the URN of their schema.
      if (/^urn:/i.test(name) && isObject(value) && !name.includes('[')) {
        if (name.toLowerCase() !== type.schema.toLowerCase()) continue;
        for (const [inner, one] of Object.entries(value))
          change(type, patched, { ...operation, value: one }, readPath(inner), true);
      } else change(type, patched, { ...operation, value }, readPath(name), true);
    }
  }
  return patched;
}

function readPath(path: string): PatchPath {
  try {
    return parsePath(path);
  } catch (error) {
    if (error instanceof FilterSyntaxError) throw scimError('invalidPath', `${path}: ${error.message}.`);
    throw error;
  }
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** `isListed`: the attribute is a field of a value without a path, which may repeat read-only attributes. */
function change(
  type: PatchedType,
  resource: Json,
  operation: PatchOperation,
  path: PatchPath,
  isListed: boolean,
): void {
  const { attribute, filter } = path;
  if (attribute.schema !== undefined && attribute.schema.toLowerCase() !== type.schema.toLowerCase()) return;
  const name = fieldNamed(type.attributes, attribute.name);
  const kind = name === undefined ? undefined : type.attributes[name];
  if (name === undefined || kind === undefined) return;
  if (kind === 'read-only') {
    if (isListed) return;
    throw scimError('mutability', `${name} is read-only.`);
  }
  const sub = path.sub ?? attribute.sub;
  if ((filter && kind !== 'list') || (sub !== undefined && kind === 'simple'))
    throw scimError('invalidPath', `${name} has no such part.`);
  const field = fieldNamed(resource, name) ?? name;
  const after =
    kind === 'list'
      ? changedList(elementsIn(resource[field]), operation, filter, sub)
      : kind === 'complex'
        ? changedObject(resource[field], operation, sub, name)
        : changedValue(operation);
  if (after === undefined) delete resource[field];
  else resource[field] = after;
}

const elementsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Older versions of Entra wrap a simple value: `[{"value": "False"}]`. */
function changedValue({ op, value }: PatchOperation): unknown {
  const [only, ...others] = Array.isArray(value) ? value : [value];
  const plain =
    Array.isArray(value) && others.length === 0 && isObject(only) ? fieldOfObject(only, 'value') : value;
  return op === 'remove' || isEmpty(plain) ? undefined : plain;
}

function changedObject(
  before: unknown,
  { op, value }: PatchOperation,
  sub: string | undefined,
  name: string,
) {
  const object = isObject(before) ? { ...before } : {};
  if (sub === undefined) {
    if (op === 'remove' || isEmpty(value)) return undefined;
    if (!isObject(value)) throw scimError('invalidValue', `${name} must be an object.`);
    for (const [field, one] of Object.entries(value)) setField(object, field, one);
  } else setField(object, sub, op === 'remove' ? undefined : value);
  return Object.keys(object).length > 0 ? object : undefined;
}

function setField(object: Json, name: string, value: unknown): void {
  const field = fieldNamed(object, name) ?? name;
  if (isEmpty(value)) delete object[field];
  else object[field] = value;
}

function changedList(
  before: Json[],
  { op, value }: PatchOperation,
  filter: ScimFilter | undefined,
  sub: string | undefined,
): Json[] | undefined {
  const isChosen = (element: Json) => filter === undefined || matches(filter, element);
  const after =
    op === 'remove' || isEmpty(value)
      ? withoutElements(before, op === 'remove' ? value : undefined, isChosen, sub)
      : sub === undefined && filter === undefined
        ? withElements(op === 'add' ? before : [], newElements(value))
        : withChanged(before, isChosen, filter, sub === undefined ? newElements(value)[0] : { [sub]: value });
  return after.length > 0 ? after : undefined;
}

/** Removes the chosen elements; with `sub`, only this part of them; with `value`, only those that it names. */
function withoutElements(
  before: Json[],
  value: unknown,
  isChosen: (element: Json) => boolean,
  sub: string | undefined,
): Json[] {
  if (sub === undefined) {
    const named = isEmpty(value)
      ? undefined
      : new Set(newElements(value).map((one) => fieldOfObject(one, 'value')));
    return before.filter((one) => !(isChosen(one) && (named?.has(fieldOfObject(one, 'value')) ?? true)));
  }
  const reduced = before.map((one) => {
    if (!isChosen(one)) return one;
    const copy = { ...one };
    setField(copy, sub, undefined);
    return copy;
  });
  // An element without its value, such as an email without an address, means nothing.
  return reduced.filter((one) => !isEmpty(fieldOfObject(one, 'value')));
}

/** An element may be a plain text: `members: ["17"]`. */
function newElements(value: unknown): Json[] {
  return [value].flat().map((one) => {
    if (isObject(one)) return { ...one };
    if (typeof one === 'string' || typeof one === 'number') return { value: String(one) };
    throw scimError('invalidValue', 'The elements of a list must be objects.');
  });
}

/** Adds elements, except those whose `value` and `type` the list already has, which are changed. */
function withElements(before: Json[], added: readonly Json[]): Json[] {
  const keyOf = (one: Json) =>
    JSON.stringify([fieldOfObject(one, 'value'), String(fieldOfObject(one, 'type') ?? '').toLowerCase()]);
  const elements = new Map(before.map((one) => [keyOf(one), one]));
  let primary: string | undefined;
  for (const one of added) {
    const key = keyOf(one);
    elements.set(key, { ...elements.get(key), ...one });
    if (isTrue(fieldOfObject(one, 'primary'))) primary = key;
  }
  // Only one element can be primary (RFC 7644, 3.5.2).
  return [...elements].map(([key, one]) =>
    primary === undefined || key === primary ? one : withoutPrimary(one),
  );
}

function withChanged(
  before: Json[],
  isChosen: (element: Json) => boolean,
  filter: ScimFilter | undefined,
  fields: Json = {},
): Json[] {
  const chosen = before.filter(isChosen);
  const made = chosen.length > 0 ? [] : [{ ...elementOf(filter) }];
  const setsPrimary = isTrue(fieldOfObject(fields, 'primary'));
  return [...before, ...made].map((one) => {
    if (!chosen.includes(one) && !made.includes(one)) return setsPrimary ? withoutPrimary(one) : one;
    const copy = { ...one };
    for (const [name, value] of Object.entries(fields)) setField(copy, name, value);
    return copy;
  });
}

const isTrue = (value: unknown): boolean => value === true || String(value).toLowerCase() === 'true';

function withoutPrimary(one: Json): Json {
  const field = fieldNamed(one, 'primary');
  return field === undefined || !isTrue(one[field]) ? one : { ...one, [field]: false };
}

/** The element that a filter describes: `[type eq "work"]` is an element of type work. Throws `noTarget`. */
function elementOf(filter: ScimFilter | undefined): Json {
  if (!filter) return {};
  if (filter.op === 'and') return { ...elementOf(filter.left), ...elementOf(filter.right) };
  if (filter.op === 'eq' && filter.attribute.sub === undefined)
    return { [filter.attribute.name]: filter.value };
  throw scimError('noTarget', 'The filter of the path selects nothing.');
}
