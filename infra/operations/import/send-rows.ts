import type { FieldError } from '../../../shared/errors.ts';
import { rateLimitPause } from '../../administration/rate-limit-pause.ts';
import { type Client, ResponseError } from '../../client/client.ts';
import { type RowError, rowError } from './build-body.ts';
import type { ImportedResource, Matching } from './resources.ts';
import type { StateFile } from './state-file.ts';

export interface Sendable {
  line: number;
  /** The column of each field, for messages. */
  columns: ReadonlyMap<string, string>;
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

interface Rejection {
  outcome: 'rejected';
  errors: RowError[];
}

/** A row is `alreadyImported` if its record was created by an earlier import, also by an import of a copy of the file. */
type Sent<O extends string> = Success<O | 'alreadyImported'> | Rejection;

interface Success<O extends string> {
  outcome: O;
  id: string;
  /** The warnings in the response. */
  warnings: RowError[];
}

/** The number of parallel requests. At 800 ms per request, they reach the rate limit of 600 requests per minute. */
export const concurrency = 8;

/** Reports whether a status ends the import, because its cause is the session or the service, not the row. */
const endsImport = (status: number): boolean => [401, 429].includes(status) || status >= 500;

interface RowSender {
  /** Creates the record of a row and its children, each with its own idempotency key. */
  create(resource: ImportedResource, row: Sendable): Promise<Sent<'created'>>;
  /** Sets the fields of a row in an existing record, and the new version in `existing`. */
  update(
    matching: Matching,
    row: Sendable,
    existing: { id: string; version: number },
  ): Promise<Sent<'updated' | 'unchanged'>>;
}

/**
 * Returns functions that send a row. Rows that were imported before are skipped. Before the rate limit is reached, waits
 * until the next minute. The functions throw if the service is not reachable or does not accept the credentials, or if
 * the signal is aborted during a wait.
 */
export function rowSender({ client, state, signal }: Sending): RowSender {
  const pause = rateLimitPause(concurrency);

  /** Sends a request and records its success. `prefix` is the path of a child in its row, such as `mids.0`. */
  async function send<O extends string>(
    { line, key, columns }: Sendable,
    request: () => Promise<{ data: unknown; response: Response }>,
    outcomeOf: (data: unknown, response: Response) => O,
    prefix = '',
  ): Promise<Success<O> | Rejection> {
    const inRow = ({ field, message }: FieldError) =>
      rowError(line, { field: [prefix, field].filter(Boolean).join('.'), message }, columns);
    try {
      const { data, response } = await request();
      pause.note(response.headers);
      const id = idIn(data);
      state.imported(key, id);
      return { outcome: outcomeOf(data, response), id, warnings: warningsIn(data).map(inRow) };
    } catch (error) {
      if (!(error instanceof ResponseError) || endsImport(error.status)) throw error;
      pause.note(error.response.headers);
      state.refused(key);
      const details = error.details.length > 0 ? error.details : [{ field: '', message: error.message }];
      return { outcome: 'rejected', errors: details.map(inRow) };
    }
  }

  async function post(
    path: string,
    row: Sendable,
    params: object,
    prefix?: string,
  ): Promise<Sent<'created'>> {
    const { line, key, body, query } = row;
    const known = state.stateOf(key);
    if (known.state === 'imported') return { outcome: 'alreadyImported', id: known.id, warnings: [] };
    if (known.state === 'doubtful') {
      const message = `was sent at ${known.sentAt} without a response, so the record may exist. Check this. If it does not exist, remove the line with ${key} from the state file`;
      return { outcome: 'rejected', errors: [{ line, message }] };
    }
    await pause.wait(signal);
    state.sending(key);
    const input = {
      params: { path: { ...params }, ...(query && { query }) },
      body,
      headers: { 'idempotency-key': key },
    };
    return send(
      row,
      () => client.POST(path as `/${string}`, input),
      // The service repeats its response to an earlier request with the same key.
      (_, { headers }) => (headers.has('idempotency-replayed') ? 'alreadyImported' : 'created'),
      prefix,
    );
  }

  return {
    async create({ path, params, children }, row) {
      const own = Object.entries(row.body).filter(
        ([name]) => !params.includes(name) && !children.includes(name),
      );
      const inPath = Object.fromEntries(params.map((name) => [name, row.body[name]]));
      const sent = await post(path, { ...row, body: Object.fromEntries(own) }, inPath);
      if (sent.outcome === 'rejected') return sent;
      let { outcome } = sent;
      const errors: RowError[] = [];
      for (const name of children)
        for (const [n, child] of [row.body[name] ?? []].flat().entries()) {
          const part = { ...row, key: `${row.key}-${name}-${n}`, body: { ...Object(child) } };
          const added = await post(
            `${path}/{merchantId}/${name}`,
            part,
            { merchantId: sent.id },
            `${name}.${n}`,
          );
          if (added.outcome === 'rejected') errors.push(...added.errors);
          else if (added.outcome === 'created') outcome = 'created';
        }
      return errors.length > 0 ? { outcome: 'rejected', errors } : { ...sent, outcome };
    },
    async update({ method, path, param }, row, existing) {
      await pause.wait(signal);
      const input = { params: { path: { [param]: existing.id } }, body: row.body };
      const request = () =>
        method === 'PUT'
          ? client.PUT(path as `/${string}`, input)
          : client.PATCH(path as `/${string}`, input);
      return send(row, request, (data) => {
        const { version } = data as { version: number };
        const outcome = version === existing.version ? 'unchanged' : 'updated';
        existing.version = version;
        return outcome;
      });
    },
  };
}

/**
 * Returns the warnings in a response, for example about the routing number of a merchant. A field such as
 * `addresses[244650025204944].state` contains the id of an entry, which is replaced by the entry's position.
 */
function warningsIn(data: unknown): FieldError[] {
  const { warnings = [], ...record } = data as { warnings?: readonly FieldError[] } & Record<string, unknown>;
  return warnings.map(({ field, message }) => ({
    message,
    field: field.replace(/^(\w+)\[(\d+)\]/, (name, list: string, id: string) => {
      const position = [record[list]].flat().findIndex((entry) => String(Object(entry).id) === id);
      return position < 0 ? name : `${list}[${position}]`;
    }),
  }));
}

/** Returns the id in a response. A response with a new lookup contains the lookup in `lookupValue`. */
function idIn(data: unknown): string {
  const { id, lookupValue } = data as { id?: unknown; lookupValue?: { id?: unknown } };
  return String(id ?? lookupValue?.id ?? '');
}
