import type { FieldError } from '../../../shared/errors.ts';
import { type CellOptions, convertCell } from './convert-cell.ts';
import type { FindName } from './find-names.ts';
import { type ColumnMap, isText, schemaAt } from './map-columns.ts';
import { isEmpty, type MapValue } from './map-values.ts';
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

/** The rules by which cells become fields. */
export interface RowRules {
  map: ColumnMap;
  mapValue: MapValue;
  resource: ImportedResource;
  findName: FindName;
  cells: CellOptions;
}

interface Built {
  /** Also contains default values. */
  body: Record<string, unknown>;
  /** The names of the row's own fields. */
  given: string[];
  /** The column of each field. */
  columns: ReadonlyMap<string, string>;
  /** Columns with a value that is not in the body, because a column with precedence has another value. */
  ignored: { column: string; precedence: string }[];
  errors: RowError[];
}

/**
 * Converts a row to the fields of its resource, replaces names of records with their ids, and validates the fields with
 * the rules of the service.
 */
export async function buildBody(
  row: Row,
  { map, mapValue, resource, findName, cells }: RowRules,
): Promise<Built> {
  const body: Record<string, unknown> = {};
  const unreadable: FieldError[] = [];
  const columns = new Map<string, string>();
  const ignored: Built['ignored'] = [];
  for (const [column, field] of Object.entries(map)) {
    if (field === null || !Object.hasOwn(row.values, column)) continue;
    const value = mapValue(column, row.values[column]);
    if (isEmpty(value)) continue;
    const precedence = columns.get(field);
    if (precedence !== undefined) {
      if (textOf(value) !== textOf(mapValue(precedence, row.values[precedence])))
        ignored.push({ column, precedence });
      continue;
    }
    const path = field.split('.');
    columns.set(field, column);
    const schema = schemaAt(resource.fields, path);
    const read =
      typeof value === 'string' ? await convertCell(value, path.at(-1) ?? '', schema, cells) : { value };
    if ('message' in read) unreadable.push({ field, message: read.message });
    setAt(body, path, 'value' in read ? read.value : value);
  }
  compact(body);
  const given = Object.keys(body);
  const notFound: FieldError[] = [];
  for (const field of given) {
    const found = await findName(field, body);
    if (found && 'id' in found)
      body[field] = isText(schemaAt(resource.fields, [field])) ? found.id : Number(found.id);
    else if (found) notFound.push({ field, message: found.message });
  }
  const order = [...columns.values()];
  const reported = [...unreadable, ...notFound].map((error) => rowError(row.line, error, columns));
  const isReported = ({ field }: RowError) => reported.some((one) => one.field === field);
  const invalid = resource
    .validate(body)
    .map((error) => rowError(row.line, error, columns))
    .filter((error) => !isReported(error));
  const errors = [...reported, ...invalid].sort(
    (a, b) => order.indexOf(a.column ?? '') - order.indexOf(b.column ?? ''),
  );
  return { body, given, columns: new Map([...columnsByField(map), ...columns]), ignored, errors };
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

/** The column of each field in a map, which is the first one if the field has several columns. */
const columnsByField = (map: ColumnMap): Map<string, string> =>
  new Map(
    Object.entries(map)
      .reverse()
      .flatMap(([column, field]) => (field === null ? [] : [[field, column] as const])),
  );

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : JSON.stringify(value));

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
