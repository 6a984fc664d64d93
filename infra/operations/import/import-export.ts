import { createReadStream } from 'node:fs';
import type { ExportedRecord } from '../../../shared/closing/exported-kinds.ts';
import type { TSchema } from '../../../shared/schema.ts';
import { withProgressBar } from '../../administration/progress-bar.ts';
import { readExport } from '../read-export.ts';
import { describeError, type RowError } from './build-body.ts';
import { type FieldSchema, isText, schemaAt } from './map-columns.ts';
import { rejectedRows } from './rejected-rows.ts';
import { type ImportedResource, resourceNamed } from './resources.ts';
import { concurrency, rowSender, type Sending } from './send-rows.ts';

interface Carried {
  resource: string;
  /** Fields with the id of another record, and the kind of that record. */
  refersTo?: Readonly<Record<string, string>>;
  /** Fields that are not imported, although a request could set them. */
  without?: readonly string[];
  query?: Record<string, unknown>;
}

/** The kinds that are imported, in the order of their dependencies. */
const carried: Readonly<Record<string, Carried>> = {
  team: { resource: 'teams' },
  user: { resource: 'users', refersTo: { teamId: 'team' } },
  lead_source: { resource: 'lead-sources', refersTo: { teamId: 'team' } },
  lead: {
    resource: 'leads',
    refersTo: { teamId: 'team', leadSourceId: 'lead_source', assignedTo: 'user' },
    query: { skipTeamAndSourceRequirement: true },
  },
  merchant: { resource: 'merchants' },
  mid: { resource: 'mids', refersTo: { merchantId: 'merchant' } },
  note: { resource: 'notes', refersTo: { merchantId: 'merchant' } },
  lookup: { resource: 'lookups', refersTo: { parent_id: 'lookup' } },
  ticket: {
    resource: 'tickets',
    refersTo: {
      assignedTo: 'user',
      assignedTeamId: 'team',
      merchantId: 'merchant',
      leadId: 'lead',
      midId: 'mid',
    },
    without: ['ticketTypeId', 'customFields', 'applicationId'],
  },
};

/** The reasons why kinds are not imported. Default: `is not imported`. */
const notCarried: Readonly<Record<string, string>> = {
  account: 'the target account exists and has its own settings',
  sla_policy: 'belongs to the settings of an account',
  role: 'grants permissions, which an administrator must decide',
  team_tree: 'contains managers, which an administrator must decide',
  lead_rotation: 'depends on active users, who must first accept their invitations',
  ticket_rotation: 'depends on active users, who must first accept their invitations',
  application: 'its form, underwriting and decision cannot be created by one request',
  underwriting_rule: 'refers to users of the old account, and must be tested before it is switched on',
  submission: 'belongs to an application of the old account',
  submission_outcome: 'belongs to an application of the old account',
  document: 'its file is not in the export',
  ticket_comment: 'its author and time cannot be set',
  ticket_clock_entry: 'is computed from the changes of a ticket',
  ticket_type_mapping: 'depends on ticket types',
  view: 'its query contains ids of the old account',
  api_key: 'its secret is not in the export',
  external_id: 'belongs to an API key of the old account',
  webhook: 'its secret is not in the export',
  webhook_health: 'is measured',
  webhook_delivery: 'was sent or will be sent by the old account',
  mail: 'was sent or will be sent by the old account',
  text_message: 'was sent or will be sent by the old account',
  partner_connection: 'its secret is not in the export',
  partner_health: 'is measured',
  partner_request: 'was sent or will be sent by the old account',
  partner_event: 'was received by the old account',
  notification: 'belongs to events of the old account',
  inbox: 'belongs to events of the old account',
  event: 'the log of an account only contains its own events',
  audit_entry: 'the log of an account only contains its own events',
  seal: 'the log of an account only contains its own events',
};

/** Returns why a kind is not imported. A kind is an outside text, such as `constructor`. */
const reasonOf = (kind: string): string =>
  (Object.hasOwn(notCarried, kind) ? notCarried[kind] : undefined) ?? 'is not imported';

interface ExportResult {
  created: number;
  alreadyImported: number;
  rejected: number;
  /** The records that were not imported, by kind, with the reason. */
  notCarried: { kind: string; count: number; reason: string }[];
  /** Fields such as `lead.archived`, with the number of values that were not imported. */
  notCarriedFields: Record<string, number>;
  errors: string[];
}

/** Imports an account export. Throws if the file is incomplete or was changed. Sends one kind after the other. */
export async function importExport(file: string, sending: Sending): Promise<ExportResult> {
  const { state, signal } = sending;
  const { header, end } = await readExport(createReadStream(file));
  const rejected = rejectedRows(file, ['kind', 'id']);
  const result: ExportResult = {
    created: 0,
    alreadyImported: 0,
    rejected: 0,
    notCarried: Object.entries(end.counts)
      .filter(([kind]) => !Object.hasOwn(carried, kind))
      .sort()
      .map(([kind, count]) => ({ kind, count, reason: reasonOf(kind) })),
    notCarriedFields: {},
    errors: [],
  };
  const keyOf = (kind: string, id: unknown) => `import-${header.account}-${kind}-${id}`;
  const newIdOf = (kind: string, id: unknown): string | undefined => {
    const known = state.stateOf(keyOf(kind, id));
    return known.state === 'imported' ? known.id : undefined;
  };
  const { create } = rowSender(sending);
  const reject = ({ kind, id }: ExportedRecord, errors: readonly RowError[]) => {
    rejected.add({ line: 0, values: { kind, id: String(id) } }, errors);
    result.errors.push(...errors.map((error) => describeError(error).replace(/^line 0/, `${kind} ${id}`)));
  };

  const sendRecord = async (exported: ExportedRecord, { query }: Carried, resource: ImportedResource) => {
    const { kind, id } = exported;
    const body = bodyOf(exported, resource, newIdOf, (field) => {
      const name = `${kind}.${field}`;
      result.notCarriedFields[name] = (result.notCarriedFields[name] ?? 0) + 1;
    });
    const errors = resource.validate(body).map((error) => ({ line: 0, ...error }));
    if (errors.length > 0) return reject(exported, errors);
    const sent = await create(resource, {
      line: 0,
      columns: new Map(),
      key: keyOf(kind, id),
      body,
      ...(query && { query }),
    });
    if (sent.outcome === 'rejected') reject(exported, sent.errors);
    else result[sent.outcome] += 1;
  };

  /**
   * Sends the records of a kind. Skips a record if its parent has the same kind and is not imported yet.
   * Returns the ids of the skipped records.
   */
  const sendKind = async (
    kind: string,
    rules: Carried,
    only?: ReadonlySet<unknown>,
  ): Promise<Set<unknown>> => {
    const resource = resourceNamed(rules.resource);
    const [ownField] = Object.entries(rules.refersTo ?? {}).find(([, to]) => to === kind) ?? [];
    const waiting = new Set<unknown>();
    let batch: ExportedRecord[] = [];
    const flush = async () => {
      await Promise.all(batch.map((one) => sendRecord(one, rules, resource)));
      batch = [];
    };
    await withProgressBar(kind, (advance) =>
      readExport(createReadStream(file), async (record) => {
        if (record.kind !== kind || signal.aborted || (only && !only.has(record.id))) return;
        const parent = ownField === undefined ? undefined : record.record[ownField];
        if (parent !== undefined && newIdOf(kind, parent) === undefined) return void waiting.add(record.id);
        batch.push(record);
        if (batch.length === concurrency) await flush();
        advance();
      }),
    );
    await flush();
    return waiting;
  };

  for (const [kind, rules] of Object.entries(carried)) {
    if (!end.counts[kind]) continue;
    let waiting = await sendKind(kind, rules);
    while (waiting.size > 0) {
      const left = await sendKind(kind, rules, waiting);
      if (left.size === waiting.size) {
        const error = { line: 0, message: 'refers to a record that was not imported' };
        for (const id of left) reject({ kind, id: String(id), record: {} }, [error]);
        break;
      }
      waiting = left;
    }
  }
  result.rejected = rejected.close();
  return result;
}

/**
 * Converts a stored record to the body of a request. Replaces the ids of other records with their new ids.
 * Calls `drop` for each field that is not imported.
 */
function bodyOf(
  { kind, record }: ExportedRecord,
  resource: ImportedResource,
  newIdOf: (kind: string, id: unknown) => string | undefined,
  drop: (field: string) => void,
): Record<string, unknown> {
  const { refersTo = {}, without = [] } = carried[kind] ?? { resource: '' };
  // A stored note has its type in the field `kind`.
  const given = { ...record, ...(kind === 'note' && { type: record.kind, kind: undefined }) } as Record<
    string,
    unknown
  >;
  for (const name of without) {
    if (given[name] !== undefined) drop(name);
    delete given[name];
  }
  const references = Object.entries({ ...refersTo, ...requesterIn(given) });
  for (const [name, to] of references) {
    if (given[name] === undefined) continue;
    const id = newIdOf(to, given[name]);
    if (id === undefined) drop(name);
    given[name] = id === undefined ? undefined : isText(schemaAt(resource.fields, [name])) ? id : Number(id);
  }
  return Object(kept(given, resource.fields, '', drop));
}

const requesters: Readonly<Record<string, string>> = {
  lead: 'lead',
  user: 'user',
  merchant: 'merchant',
  'merchant-internal': 'merchant',
  mid: 'mid',
  application: 'application',
};

/** The kind of record that `requesterId` refers to. External requesters are not records. */
function requesterIn({ requesterType }: Record<string, unknown>): Record<string, string> {
  const kind = requesters[String(requesterType)];
  return kind === undefined ? {} : { requesterId: kind };
}

/** Fields that the service sets when it creates a record. They are omitted without a report. */
const stamps = new Set('id accountId version createdAt createdBy updatedAt updatedBy date author'.split(' '));

/** Removes redacted values, the ids of entries in inner lists, and fields that are not in the schema. */
function kept(
  value: unknown,
  schema: TSchema | undefined,
  path: string,
  drop: (field: string) => void,
): unknown {
  const { items, properties } = (schema ?? {}) as FieldSchema;
  if (value === 'REDACTED') return void drop(path);
  if (Array.isArray(value)) return items ? value.map((one) => kept(one, items, path, drop)) : value;
  if (typeof value !== 'object' || value === null || !properties) return value ?? undefined;
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (inner === undefined || inner === null) return [];
    const isRowId = path !== '' && ['id', 'merchantId'].includes(name);
    if (isRowId || !Object.hasOwn(properties, name)) {
      if (!isRowId && !stamps.has(name)) drop(at);
      return [];
    }
    const result = kept(inner, properties[name], at, drop);
    return result === undefined ? [] : [[name, result] as const];
  });
  return Object.fromEntries(fields);
}

/** The result as lines. */
export function describeExport({
  created,
  alreadyImported,
  rejected,
  errors,
  ...rest
}: ExportResult): string[] {
  return [
    ...errors,
    `${created} created, ${alreadyImported} already imported, ${rejected} rejected.`,
    'Not carried over: the ids, times and authors of records, and:',
    ...rest.notCarried.map(({ kind, count, reason }) => `  ${kind} (${count}): ${reason}`),
    ...Object.entries(rest.notCarriedFields)
      .sort()
      .map(([field, count]) => `  ${field} (${count} values)`),
  ];
}
