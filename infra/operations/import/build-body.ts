import type { FieldError } from '../../../shared/errors.ts';
import type { FindName } from './find-names.ts';
import { type ColumnMap, type FieldSchema, schemaAt } from './map-columns.ts';
import type { Row } from './read-rows.ts';
import type { ImportedResource } from './resources.ts';

export interface RowError {
  line: number;
  /** The column with the error. If no column is mapped to the field, only `field` is given. */
  column?: string;
  field?: string;
  message: string;
}

export const describeError = ({ line, column, field, message }: RowError): string => {
  const place = column !== undefined ? `, column "${column}"` : field ? `, field ${field}` : '';
  return `line ${line}${place}: ${message}`;
};

/**
 * Converts a row to the fields of its resource, replaces names of records with their ids, and validates the fields with
 * the rules of the service.
 */
export async function buildBody(
  row: Row,
  map: ColumnMap,
  resource: ImportedResource,
  findName: FindName,
): Promise<{ body: Record<string, unknown>; errors: RowError[] }> {
  const body: Record<string, unknown> = {};
  const columns = new Map<string, string>();
  for (const [column, value] of Object.entries(row.values)) {
    const field = map[column];
    if (!field || value === '' || value === null) continue;
    const path = field.split('.');
    columns.set(field, column);
    setAt(body, path, typeof value === 'string' ? converted(value, schemaAt(resource.fields, path)) : value);
  }
  compact(body);
  const notFound: FieldError[] = [];
  for (const field of Object.keys(body)) {
    const found = await findName(field, body);
    if (found && 'id' in found) body[field] = converted(found.id, schemaAt(resource.fields, [field]));
    else if (found) notFound.push({ field, message: found.message });
  }
  const order = [...columns.values()];
  const invalid = resource.validate(body).filter(({ field }) => !notFound.some((one) => one.field === field));
  const errors = [...notFound, ...invalid]
    .map((error) => rowError(row.line, error, columns))
    .sort((a, b) => order.indexOf(a.column ?? '') - order.indexOf(b.column ?? ''));
  return { body, errors };
}

/**
 * Adds the column to a validation error. The error contains the field as `principals[0].ssn`, and the map as
 * `principals.0.ssn`.
 */
export function rowError(
  line: number,
  { field, message }: FieldError,
  columns: ReadonlyMap<string, string>,
): RowError {
  const path = field.replaceAll(/\[(\d+)\]/g, '.$1');
  for (let at = path; at !== ''; at = at.replace(/(?:^|\.)[^.]*$/, '')) {
    const column = columns.get(at);
    if (column !== undefined) return { line, column, field: path, message };
  }
  return { line, field: path, message };
}

/** The column of each field in a map. */
export const columnsByField = (map: ColumnMap): Map<string, string> =>
  new Map(
    Object.entries(map).flatMap(([column, field]) => (field === null ? [] : [[field, column] as const])),
  );

function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...inside] = path;
  if (inside.length === 0) {
    target[name] = value;
    return;
  }
  const existing = target[name];
  const inner =
    typeof existing === 'object' && existing !== null ? existing : /^\d+$/.test(inside[0] ?? '') ? [] : {};
  target[name] = inner;
  setAt(inner as Record<string, unknown>, inside, value);
}

/**
 * Removes the gaps in arrays. An array has a gap if, for example, only the columns of the first principal are
 * empty.
 */
function compact(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    compact(inner);
    if (Array.isArray(inner))
      (value as Record<string, unknown>)[name] = inner.filter((one) => one !== undefined);
  }
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  1: true,
  false: false,
  no: false,
  n: false,
  0: false,
};

/** A number in US notation, such as `$1,234.50`. Codes such as `007` and European notation remain text. */
const amount = /^-?\$?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)(?:\.\d+)?$/;

const word = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');

/**
 * Converts the text of a cell to the type of its field. Does not change text that cannot be converted, so that
 * validation reports it.
 */
function converted(given: string, schema: FieldSchema | undefined): unknown {
  const types = [schema?.type ?? []].flat();
  const text = given.trim();
  if (schema?.enum) return schema.enum.find((one) => one !== null && word(one) === word(text)) ?? text;
  if (types.includes('array') || types.includes('object')) return fromList(text, types.includes('array'));
  if (types.includes('boolean')) return booleans[text.toLowerCase()] ?? text;
  if (types.includes('integer') || types.includes('number')) {
    const number = Number(text.replaceAll(/[$,]/g, ''));
    return amount.test(text) ? number : text;
  }
  return types.includes('string') ? text : given;
}

/** Parses JSON, or values that are separated by semicolons. */
function fromList(text: string, isArray: boolean): unknown {
  if (/^[[{]/.test(text))
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  return isArray
    ? text
        .split(';')
        .map((one) => one.trim())
        .filter(Boolean)
    : text;
}
