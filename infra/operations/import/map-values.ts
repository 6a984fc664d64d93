/** Returns the value that replaces the value of a column. */
export type MapValue = (column: string, value: unknown) => unknown;

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const comparable = (value: unknown): string => String(value).trim().toLowerCase();

/**
 * Parses a file such as `{"Status": {"Solved": "resolved"}}`, which replaces values of columns. Case and outer spaces of
 * the values in the rows are ignored. The replacement null means that the cell is read as empty. Throws if the text is
 * malformed, or contains a column that the file does not have.
 */
export function valuesIn(text: string, columns: ReadonlySet<string>): MapValue {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Error('The file of values is not valid JSON.');
  }
  if (!isObject(given))
    throw new Error('The file of values must be an object with an object for each column.');
  const replacements = new Map(
    Object.entries(given).map(([column, values]) => {
      if (!columns.has(column))
        throw new Error(`The file of values names "${column}", which is not a column.`);
      if (
        !isObject(values) ||
        Object.values(values).some((value) => typeof value === 'object' && value !== null)
      )
        throw new Error(
          `The values of "${column}" must be an object with a text, number, boolean or null for each value.`,
        );
      return [column, new Map(Object.entries(values).map(([from, to]) => [comparable(from), to]))] as const;
    }),
  );
  return (column, value) => {
    const values = replacements.get(column);
    return values?.has(comparable(value)) ? values.get(comparable(value)) : value;
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
