import { type Client, ResponseError } from '../../client/client.ts';
import { rateLimitPause } from '../rate-limit-pause.ts';
import { type RowError, rowError } from './build-body.ts';
import type { ImportedResource } from './resources.ts';
import type { StateFile } from './state-file.ts';

export interface Sendable {
  line: number;
  key: string;
  body: Record<string, unknown>;
  query?: Record<string, unknown>;
}

/** The service and the progress of an import. If `signal` is aborted, no further row is sent. */
export interface Sending {
  client: Client;
  state: StateFile;
  signal: AbortSignal;
}

export type RowOutcome =
  | { outcome: 'imported' | 'known'; id: string }
  | { outcome: 'rejected'; errors: RowError[] };

/** The number of parallel requests. At 800 ms per request, they reach the rate limit of 600 requests per minute. */
export const concurrency = 8;

/** Reports whether a status ends the import, because its cause is the session or the service, not the row. */
const endsImport = (status: number): boolean => [401, 429].includes(status) || status >= 500;

/**
 * Returns a function that creates the record of a row and its children, each with its own idempotency key.
 * Records that were imported before are skipped. Before the rate limit is reached, waits until the next
 * minute. Throws if the service is not reachable or does not accept the credentials, or if the signal is
 * aborted during a wait.
 */
export function rowSender(
  { client, state, signal }: Sending,
  columns: ReadonlyMap<string, string>,
): (resource: ImportedResource, row: Sendable) => Promise<RowOutcome> {
  const pause = rateLimitPause(concurrency);
  /** `prefix` is the path of a child in its row, such as `mids.0`. */
  async function create(path: string, row: Sendable, params: object, prefix = ''): Promise<RowOutcome> {
    const { line, key, body, query } = row;
    const known = state.stateOf(key);
    if (known.state === 'imported') return { outcome: 'known', id: known.id };
    const reject = (errors: RowError[]): RowOutcome => ({ outcome: 'rejected', errors });
    if (known.state === 'doubtful') {
      const message = `was sent at ${known.sentAt} without a response, so the record may exist. Check this. If it does not exist, remove the line with ${key} from the state file`;
      return reject([{ line, message }]);
    }
    await pause.wait(signal);
    state.sending(key);
    try {
      const { data, response } = await client.POST(path as `/${string}`, {
        params: { path: { ...params }, ...(query && { query }) },
        body,
        headers: { 'idempotency-key': key },
      });
      pause.note(response.headers);
      const id = idIn(data);
      state.imported(key, id);
      return { outcome: 'imported', id };
    } catch (error) {
      if (!(error instanceof ResponseError) || endsImport(error.status)) throw error;
      pause.note(error.response.headers);
      state.refused(key);
      const inRow = (field: string) => [prefix, field].filter(Boolean).join('.');
      return reject(
        error.details.length > 0
          ? error.details.map(({ field, message }) =>
              rowError(line, { field: inRow(field), message }, columns),
            )
          : [rowError(line, { field: prefix, message: error.message }, columns)],
      );
    }
  }

  return async ({ path, params, children }, row) => {
    const own = Object.entries(row.body).filter(
      ([name]) => !params.includes(name) && !children.includes(name),
    );
    const inPath = Object.fromEntries(params.map((name) => [name, row.body[name]]));
    const sent = await create(path, { ...row, body: Object.fromEntries(own) }, inPath);
    if (sent.outcome === 'rejected') return sent;
    let outcome = sent.outcome;
    const errors: RowError[] = [];
    for (const name of children)
      for (const [n, child] of [row.body[name] ?? []].flat().entries()) {
        const part = { line: row.line, key: `${row.key}-${name}-${n}`, body: { ...Object(child) } };
        const added = await create(
          `${path}/{merchantId}/${name}`,
          part,
          { merchantId: sent.id },
          `${name}.${n}`,
        );
        if (added.outcome === 'rejected') errors.push(...added.errors);
        else if (added.outcome === 'imported') outcome = 'imported';
      }
    return errors.length > 0 ? { outcome: 'rejected', errors } : { outcome, id: sent.id };
  };
}

/** Returns the id in a response. A response with a new lookup contains the lookup in `lookupValue`. */
function idIn(data: unknown): string {
  const { id, lookupValue } = data as { id?: unknown; lookupValue?: { id?: unknown } };
  return String(id ?? lookupValue?.id ?? '');
}
