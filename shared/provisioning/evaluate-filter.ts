import type { AttributeName, FilterValue, ScimComparison, ScimFilter } from './filter-syntax.ts';
import { scimError } from './scim-failure.ts';

export type Json = Record<string, unknown>;

/** Attributes whose upper and lower case differ (RFC 7643, 2.2). Others are compared without regard to case. */
const caseExact = new Set([
  'id',
  'externalid',
  'meta.version',
  'meta.location',
  'members.value',
  'groups.value',
]);
const instants = new Set(['meta.created', 'meta.lastmodified']);

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the own name of a field. Names of attributes do not depend on case (RFC 7643, 2.1). */
export function fieldNamed(record: Json, name: string): string | undefined {
  if (Object.hasOwn(record, name)) return name;
  const wanted = name.toLowerCase();
  return Object.keys(record).find((one) => one.toLowerCase() === wanted);
}

export function fieldOfObject(record: unknown, name: string): unknown {
  if (!isObject(record)) return undefined;
  const field = fieldNamed(record, name);
  return field === undefined ? undefined : record[field];
}

const elementsOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/**
 * Reports whether a resource matches a filter. `parent` is the attribute to whose elements the filter applies. Throws
 * `invalidFilter` for a comparison that the type of the value does not allow.
 */
export function matches(filter: ScimFilter, resource: unknown, parent?: string): boolean {
  switch (filter.op) {
    case 'and':
      return matches(filter.left, resource, parent) && matches(filter.right, resource, parent);
    case 'or':
      return matches(filter.left, resource, parent) || matches(filter.right, resource, parent);
    case 'not':
      return !matches(filter.filter, resource, parent);
    case 'pr':
      return valuesOf(filter.attribute, resource).some(isPresent);
    case 'some':
      return elementsOf(fieldOfObject(inSchema(resource, filter.attribute), filter.attribute.name)).some(
        (one) => matches(filter.filter, one, filter.attribute.name),
      );
    default:
      return compares(filter, resource, parent);
  }
}

const isPresent = (value: unknown): boolean =>
  value !== '' &&
  (Array.isArray(value) ? value.length > 0 : !isObject(value) || Object.keys(value).length > 0);

/** The part of a resource that belongs to the schema of an attribute: an extension, or the resource itself. */
const inSchema = (resource: unknown, { schema }: AttributeName): unknown =>
  schema === undefined ? resource : (fieldOfObject(resource, schema) ?? resource);

function valuesOf(attribute: AttributeName, resource: unknown): unknown[] {
  const found = elementsOf(fieldOfObject(inSchema(resource, attribute), attribute.name));
  const { sub } = attribute;
  return sub === undefined ? found : found.flatMap((one) => elementsOf(fieldOfObject(one, sub)));
}

function compares(
  { op, attribute, value }: { op: ScimComparison; attribute: AttributeName; value: FilterValue },
  resource: unknown,
  parent: string | undefined,
): boolean {
  const name = [parent, attribute.name, attribute.sub].filter(Boolean).join('.').toLowerCase();
  // A comparison with a list of objects is about their `value` (RFC 7644, 3.4.2.2).
  const found = valuesOf(attribute, resource).map((one) => (isObject(one) ? one.value : one));
  if (op === 'ne')
    return !found.some((one) => holds('eq', one, value, name)) && !(value === null && !found.length);
  if (value === null && op === 'eq') return found.length === 0;
  return found.some((one) => holds(op, one, value, name));
}

function holds(op: Exclude<ScimComparison, 'ne'>, one: unknown, other: FilterValue, name: string): boolean {
  const [left, right] = comparable(one, other, name);
  if (op === 'eq') return left === right;
  if (typeof other === 'boolean' || other === null)
    throw scimError('invalidFilter', `${op} does not compare true, false and null.`);
  if (op === 'co' || op === 'sw' || op === 'ew') {
    if (typeof other !== 'string') throw scimError('invalidFilter', `${op} needs a text.`);
    if (typeof one !== 'string') return false;
    const [text, part] = foldUnless(caseExact.has(name), one, other);
    return op === 'co' ? text.includes(part) : op === 'sw' ? text.startsWith(part) : text.endsWith(part);
  }
  if (typeof left !== typeof right || left === null || right === null) return false;
  if (typeof left === 'boolean') throw scimError('invalidFilter', `${op} does not compare true and false.`);
  return { gt: left > right, ge: left >= right, lt: left < right, le: left <= right }[op];
}

/** Identity providers also send `active eq "False"`. */
const booleanText = (one: unknown, other: FilterValue): FilterValue =>
  typeof one === 'boolean' && typeof other === 'string' && /^(?:true|false)$/i.test(other)
    ? other.toLowerCase() === 'true'
    : other;

function comparable(one: unknown, other: FilterValue, name: string): [FilterValue, FilterValue] {
  const wanted = booleanText(one, other);
  if (typeof one !== 'string' || typeof wanted !== 'string') return [one as FilterValue, wanted];
  if (instants.has(name)) {
    const [left, right] = [Date.parse(one), Date.parse(wanted)];
    if (Number.isNaN(right))
      throw scimError('invalidFilter', `${JSON.stringify(wanted)} is not a date with time.`);
    return [left, right];
  }
  return foldUnless(caseExact.has(name), one, wanted);
}

const foldUnless = (exact: boolean, one: string, other: string): [string, string] =>
  exact ? [one, other] : [one.toLowerCase(), other.toLowerCase()];
