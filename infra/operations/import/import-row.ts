import { type RowError, rowError } from './build-body.ts';
import {
  type Existing,
  type ExistingRecords,
  identifyingValues,
  inTurns,
  recordName,
} from './find-existing.ts';
import type { ImportedResource } from './resources.ts';
import { rowSender, type Sendable, type Sending } from './send-rows.ts';

export interface RowTarget {
  resource: ImportedResource;
  /** The fields by which existing records are found, and the index of these records. */
  matchBy: readonly string[];
  existing: ExistingRecords;
  /** The action for a row that has an existing record. `report` creates a second record, with a warning. */
  onMatch: 'report' | 'skip' | 'update';
  /** Undefined in a dry run. */
  sending: Sending | undefined;
}

/** A valid row. `given` are the names of the row's own fields, without default values. */
interface ValidRow extends Sendable {
  given: readonly string[];
}

/** The outcome of a row that is not rejected. `valid` is the outcome of a new row in a dry run. */
export type RowOutcome = 'created' | 'updated' | 'unchanged' | 'alreadyImported' | 'valid';

type RowResult = { outcome: RowOutcome; warnings: RowError[] } | { outcome: 'rejected'; errors: RowError[] };

/**
 * Returns a function that creates the record of a row or, depending on `onMatch`, updates an existing record. Rows with
 * the same value in a field that identifies a record are imported one after the other, so that the second row finds the
 * record of the first.
 */
export function rowImporter(target: RowTarget): (row: ValidRow) => Promise<RowResult> {
  const { resource, matchBy, existing, onMatch, sending } = target;
  const sender = sending && rowSender(sending);
  const noun = recordName(resource);
  const inTurn = inTurns();
  const about = ({ line, columns }: ValidRow, field: string, message: string): RowError =>
    rowError(line, { field, message }, columns);

  async function create(row: ValidRow, keys: Existing['keys']): Promise<RowResult> {
    const sent = await sender?.create(resource, row);
    if (sent?.outcome === 'rejected') return sent;
    if (sent?.outcome !== 'alreadyImported') {
      const label = sent ? `${noun} ${sent.id}` : `line ${row.line}`;
      existing.add({ id: sent?.id ?? '', version: 1, label, keys });
    }
    return { outcome: 'valid', warnings: [], ...sent };
  }

  /** Sets the fields of the row, except lists: the service would replace the whole list, for example all principals. */
  async function update(row: ValidRow, record: Existing, field: string): Promise<RowResult> {
    if (!sender || !resource.matching)
      return {
        outcome: 'unchanged',
        warnings: [about(row, field, `is the value of ${record.label}, which the row would update`)],
      };
    const isList = (name: string) => Array.isArray(row.body[name]);
    const body = Object.fromEntries(
      row.given.filter((name) => !isList(name)).map((name) => [name, row.body[name]]),
    );
    const sent = await sender.update(resource.matching, { ...row, body }, record);
    const lists = row.given.filter(isList).join(', ');
    if (sent.outcome === 'rejected' || lists === '') return sent;
    const message = `is the value of ${record.label}, whose lists were not changed: ${lists}`;
    return { ...sent, warnings: [...sent.warnings, about(row, field, message)] };
  }

  async function importRow(row: ValidRow, keys: Existing['keys']): Promise<RowResult> {
    const isNew = !sending || sending.state.stateOf(row.key).state === 'new';
    const match = isNew ? existing.find(keys) : undefined;
    if (!match) return create(row, keys);
    const { field, records } = match;
    const labels = records.map(({ label }) => label).join(' and ');
    if (onMatch === 'report') {
      const created = await create(row, keys);
      if (created.outcome === 'rejected' || created.outcome === 'alreadyImported') return created;
      const message = `is also the value of ${labels}, so the row may be a duplicate`;
      return { ...created, warnings: [...created.warnings, about(row, field, message)] };
    }
    const [record, another] = records;
    if (another || !record) {
      const message = `is the value of ${labels}, so the row does not identify one ${noun}`;
      return { outcome: 'rejected', errors: [about(row, field, message)] };
    }
    if (onMatch === 'update') return update(row, record, field);
    const message = `is the value of ${labels}, so the row was not imported`;
    return { outcome: 'unchanged', warnings: [about(row, field, message)] };
  }

  return (row) => {
    const keys = identifyingValues(row.body, matchBy);
    return inTurn(keys, () => importRow(row, keys));
  };
}
