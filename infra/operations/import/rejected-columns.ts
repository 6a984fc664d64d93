/** The first columns of a file of rejected rows. */
export const addedColumns = ['line', 'reason'];

/** Reports whether a file with these columns is a file of rejected rows, whose cells are neutralized. */
export const isRejectedFile = (columns: readonly string[]): boolean =>
  addedColumns.every((name, n) => columns[n] === name);
