import type { TSchema } from '../../../shared/schema.ts';
import type { ImportedResource } from './resources.ts';

/** The field of each column. The field of an ignored column is null. */
export type ColumnMap = Readonly<Record<string, string | null>>;

/** For each field, names of columns in Salesforce, HubSpot, Zendesk and spreadsheets. */
const synonyms: Readonly<Record<string, string>> = {
  firstName: 'First|Given name|Forename',
  lastName: 'Last|Surname|Family name',
  email: 'Mail|Email address|E-mail|Work email',
  phone: 'Telephone|Phone number|Mobile|Mobile phone|Work phone|Tel',
  company: 'Company name|Associated company|Organization|Organisation|Account name',
  jobTitle: 'Title|Job',
  assignedTo: 'Owner|Lead owner|Contact owner|Ticket owner|Assignee|Assigned',
  source: 'Lead source|Original source|Original traffic source',
  notes: 'Note|Comments|Description',
  numberOfEmployees: 'Employees|No. of employees|Number of staff',
  monthlyTransactionVolume: 'Monthly volume|Volume',
  lastContacted: 'Last activity|Last contacted date|Last activity date',
  merchantName: 'Merchant|Name|Business name',
  dba: 'DBA name|Doing business as',
  legalName: 'Legal business name',
  teamId: 'Team|Team name',
  assignedTeamId: 'Group|Team|Assigned team',
  ticketTypeId: 'Type|Ticket type',
  merchantId: 'Merchant|Merchant name',
  name: 'Full name|Team|Team name|Source name|Label',
  active: 'Enabled|Is active',
  imgSrc: 'Photo|Picture|Image',
  subject: 'Title|Ticket name|Ticket subject',
  description: 'Body|Details|Ticket description',
  requesterEmail: 'Requester email|Email|Contact email',
  requesterName: 'Requester|Contact|Contact name',
  requesterPhone: 'Phone',
  tags: 'Labels|Tag',
  text: 'Label|Option',
  value: 'Code|Option value',
  'addresses.0.street1': 'Street|Address|Address line 1|Billing street',
  'addresses.0.city': 'City|Billing city',
  'addresses.0.state': 'State|Region|Billing state',
  'addresses.0.postalCode': 'Zip|Zip code|Postal code|Postcode',
  'addresses.0.country': 'Country',
  'principals.0.firstName': 'Owner first name',
  'principals.0.lastName': 'Owner last name',
  'mids.0.mid': 'MID|Merchant number',
};

export interface FieldSchema {
  type?: string | readonly string[];
  format?: string;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, TSchema>>;
  items?: TSchema;
  additionalProperties?: TSchema | boolean;
}

/** Returns the schema of a field such as `principals.0.firstName`; undefined if the resource has no such field. */
export function schemaAt(schema: TSchema | undefined, path: readonly string[]): FieldSchema | undefined {
  const rules = schema as FieldSchema | undefined;
  const [name, ...inside] = path;
  if (!rules || name === undefined) return rules;
  if (rules.items && /^\d{1,3}$/.test(name)) return schemaAt(rules.items, inside);
  if (rules.properties && Object.hasOwn(rules.properties, name))
    return schemaAt(rules.properties[name], inside);
  // In an object with arbitrary keys, each value is text, for example `metaData.shop`.
  return rules.additionalProperties === true && inside.length === 0 ? { type: 'string' } : undefined;
}

export const isText = (schema: FieldSchema | undefined): boolean => [schema?.type].flat().includes('string');

const normalized = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Returns a function that suggests the field of a column. The function returns undefined for an unknown column. */
function fieldSuggestions({ fields }: ImportedResource): (column: string) => string | undefined {
  const known = new Map<string, string>();
  const add = (name: string, field: string) => {
    if (!known.has(normalized(name))) known.set(normalized(name), field);
  };
  const own = Object.keys((fields as FieldSchema).properties ?? {});
  for (const field of own) add(field, field);
  for (const [field, names] of Object.entries(synonyms))
    if (schemaAt(fields, field.split('.'))) for (const name of names.split('|')) add(name, field);
  return (column) => {
    const path = column.split('.');
    return path.length > 1 && schemaAt(fields, path) ? column : known.get(normalized(column));
  };
}

/** Parses a map. Throws if the map is malformed or contains a field that the resource does not have. */
export function columnMapIn(text: string, { name, fields }: ImportedResource): ColumnMap {
  let map: unknown;
  try {
    map = JSON.parse(text);
  } catch {
    throw new Error('The map is not valid JSON.');
  }
  if (typeof map !== 'object' || map === null || Array.isArray(map))
    throw new Error('The map must be an object with a field, or null, for each column.');
  for (const [column, field] of Object.entries(map))
    if (field !== null && (typeof field !== 'string' || !schemaAt(fields, field.split('.'))))
      throw new Error(
        `The map assigns "${column}" to ${JSON.stringify(field)}, which is not a field of ${name}.`,
      );
  return map as ColumnMap;
}

/**
 * Returns the field of each column. The given map takes precedence over suggestions. Throws if the given map
 * assigns a field twice.
 */
export function mapColumns(
  columns: readonly string[],
  given: ColumnMap,
  resource: ImportedResource,
): ColumnMap {
  const suggest = fieldSuggestions(resource);
  const map: Record<string, string | null> = {};
  const used = new Map<string, string>();
  for (const column of columns) {
    const isGiven = Object.hasOwn(given, column);
    const field = (isGiven ? given[column] : suggest(column)) ?? null;
    const other = field === null ? undefined : used.get(field);
    if (other !== undefined && isGiven && Object.hasOwn(given, other))
      throw new Error(`The columns "${other}" and "${column}" have the same field ${field}.`);
    if (other !== undefined && isGiven) map[other] = null;
    // If the suggestions for two columns are the same field, only the first column gets the field.
    map[column] = other !== undefined && !isGiven ? null : field;
    if (map[column] !== null && field !== null) used.set(field, column);
  }
  return map;
}
