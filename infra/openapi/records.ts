import type { Contract } from '../../shared/endpoints/contract.ts';
import { pascalCase, singular } from './naming.ts';

/** The extension `x-record` of a GET whose response contains records of one kind. */
export interface RecordHint {
  /** The path of a record. Its last parameter identifies the record. */
  path: string;
  /** The field of the record with the value of this parameter. */
  id: string;
  /** The fields that name a record for a reader. A dot separates the names of nested fields. */
  title: string[];
}

type Documented = Pick<Contract, 'method' | 'path' | 'response'>;
type Properties = Record<string, { properties?: Properties }>;

/** The fields that can name a record. The title of a record is the first entry whose fields its schema has. */
const titles: readonly (readonly string[])[] = [
  ['firstName', 'lastName'],
  ['ticketNumber', 'subject'],
  ['number', 'customerName'],
  ['address', 'purpose'],
  ['beneficiaryName', 'month'],
  ['kind', 'month'],
  ['name', 'email'],
  ['name'],
  ['accountName'],
  ['merchantName'],
  ['dbaName'],
  ['basics.dbaName'],
  ['domain'],
  ['url'],
  ['mid'],
  ['type', 'model'],
  ['partnerCategoryName'],
  ['notificationSubject'],
  ['fileName'],
  ['kind'],
  ['subject', 'fromAddress'],
  ['subject'],
  ['text'],
  ['notice', 'invoiceNumber'],
  ['event'],
  ['issuer'],
  ['description'],
  ['content'],
  ['externalId'],
  ['beneficiary.id', 'validFrom'],
  ['holderName'],
  ['effectiveDate'],
  ['month'],
  ['status'],
];

/** Fields whose names do not follow the rule of `recordReferencesOf`. */
const otherReferences: Readonly<Record<string, readonly string[]>> = {
  '/users/{email}': [
    'assignedTo',
    'createdBy',
    'updatedBy',
    'uploadedBy',
    'submittedBy',
    'assessedBy',
    'invitedBy',
    'approvedBy',
    'postedBy',
    'reversedBy',
    'ownerId',
    'managerIds',
    'userId',
  ],
  '/apikeys/{id}': ['externalKeyId'],
  '/accounts/{id}': ['parentAccountId', 'agentAccountId', 'isoAccountId'],
  '/leads/{leadId}': ['possibleDuplicates'],
  '/residual-adjustments/{id}': ['adjustmentId'],
  '/residual-files/{id}': ['fileId'],
  '/residual-formats/{id}': ['formatId'],
  '/residual-payouts/{id}': ['payoutId'],
  '/residual-runs/{id}': ['runId', 'previousRunId'],
  '/residual-statements/{id}': ['statementId'],
  '/teams/{id}': ['assignedTeamId', 'parentTeamId'],
  '/ticket-rotations/{id}': ['rotationId'],
  '/ticket-types/{id}': ['defaultTicketTypeId', 'serviceTicketTypeId'],
  '/tickets/{ticketId}': ['ticketIds'],
  '/underwriting-rules/{id}': ['ruleId'],
};

/**
 * Returns the path of the records below a list: `/leads/{leadId}` for `/leads`. A list without such a path, such as
 * `/accounts/children`, contains records of the list above it.
 */
function recordPathOf(list: string, paths: readonly string[]): string | undefined {
  const below = paths.flatMap((path) => {
    if (!path.startsWith(`${list}/`)) return [];
    const [, rest] = /^((?:\/[^/{]+)*\/\{\w+\})/.exec(path.slice(list.length)) ?? [];
    return rest === undefined ? [] : [list + rest];
  });
  const shortest = below.sort((one, other) => one.length - other.length)[0];
  const above = list.slice(0, list.lastIndexOf('/'));
  const isRecord = (path: string) => path.endsWith('}');
  if (shortest !== undefined || isRecord(list) || isRecord(above) || !paths.includes(above)) return shortest;
  return recordPathOf(above, paths);
}

const propertiesOf = (schema: unknown): Properties | undefined =>
  (schema as { properties?: Properties } | undefined)?.properties;

/** The fields of the elements of a list; undefined for another response. */
function rowOf(response: unknown): Properties | undefined {
  const list = (propertiesOf(response)?.data ?? response) as { type?: unknown; items?: unknown };
  return list.type === 'array' ? propertiesOf(list.items) : undefined;
}

const has = (fields: Properties, path: string): boolean => {
  const [first = '', ...rest] = path.split('.');
  const field = Object.hasOwn(fields, first) ? fields[first] : undefined;
  return field !== undefined && (rest.length === 0 || has(field.properties ?? {}, rest.join('.')));
};

/**
 * Returns the fields that contain the id of a record in all schemas, with the path of the record: `teamId` refers to
 * `/teams/{id}`. The name is the parameter of the path, or the singular of the list with `Id`.
 */
export function recordReferencesOf(contracts: readonly Documented[]): Record<string, string> {
  const paths = contracts.map(({ path }) => path);
  const reads = contracts.filter(({ method }) => method === 'GET');
  const text = JSON.stringify(contracts.map(({ response }) => response));
  const named = reads.flatMap(({ path: list, response }): [string, string][] => {
    const path = rowOf(response) && !list.includes('{') ? recordPathOf(list, paths) : undefined;
    if (!path?.startsWith(`${list}/{`)) return [];
    const parameter = path.slice(list.length + 2, -1);
    const noun = pascalCase(singular(list.slice(list.lastIndexOf('/') + 1)));
    const own =
      { id: `${noun.charAt(0).toLowerCase()}${noun.slice(1)}Id`, email: [] }[parameter] ?? parameter;
    return [own, otherReferences[path] ?? []].flat().map((name) => [name, path]);
  });
  return Object.fromEntries(named.filter(([name]) => text.includes(`"${name}":`)));
}

/** Returns the extension of an operation; undefined if its response contains no records that have a path. */
export function recordHintOf(
  { method, path: own, response }: Documented,
  contracts: readonly Documented[],
  references: Record<string, string>,
): RecordHint | undefined {
  if (method !== 'GET') return undefined;
  const row = rowOf(response);
  const paths = contracts.map(({ path }) => path);
  const path = row ? recordPathOf(own, paths) : own;
  const fields = row ?? propertiesOf(response);
  const parameter = /\{(\w+)\}$/.exec(path ?? '')?.[1];
  if (path === undefined || parameter === undefined || fields === undefined) return undefined;
  const names = [parameter, 'id', ...Object.keys(fields).filter((name) => references[name] === path)];
  const id = names.find((name) => has(fields, name));
  const title = titles.find((candidates) => candidates.every((name) => has(fields, name)));
  return id === undefined ? undefined : { path, id, title: [...(title ?? [])] };
}
