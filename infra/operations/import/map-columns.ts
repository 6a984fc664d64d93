import type { TSchema } from '../../../shared/schema.ts';
import type { ImportedResource } from './resources.ts';

/**
 * The field of each column. The field of an ignored column is null. If several columns have the same field, a row's
 * value is that of the first of them that is not empty in the row.
 */
export type ColumnMap = Readonly<Record<string, string | null>>;

/**
 * For each field, names of columns in Salesforce, HubSpot, Zendesk, Outlook, Google Contacts and spreadsheets. Earlier
 * names have precedence.
 */
export const synonyms: Readonly<Record<string, string>> = {
  firstName: 'First|Given name|Forename',
  lastName: 'Last|Surname|Family name',
  email: 'Mail|Email address|E-mail|Work email|E-mail 1 - Value|E-mail 2 address|E-mail 2 - Value',
  phone:
    'Phone number|Telephone|Tel|Business phone|Work phone|Primary phone|Phone 1 - Value|Mobile|Mobile phone|Mobile phone number|Business phone 2|Company main phone|Phone 2 - Value|Other phone|Home phone',
  company:
    'Company name|Associated company|Organization|Organisation|Account name|Company / Account|Organization name|Organization 1 - Name',
  jobTitle: 'Job|Position title|Organization title|Organization 1 - Title',
  assignedTo: 'Owner|Lead owner|Contact owner|Ticket owner|Assignee|Assigned',
  source: 'Lead source|Original source|Original traffic source',
  notes: 'Note|Comments|Description',
  numberOfEmployees: 'Employees|No. of employees|Number of staff',
  monthlyTransactionVolume: 'Monthly volume|Volume',
  lastContacted: 'Last activity|Last contacted date|Last activity date',
  merchantName: 'Merchant|Business name|Account name|Company / Account|Company name|Company|Name',
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
  'addresses.0.street1':
    'Street|Address|Address line 1|Billing street|Business street|Mailing street|Address 1 - Street',
  'addresses.0.city': 'City|Billing city|Business city|Mailing city|Address 1 - City',
  'addresses.0.state':
    'State|State/Province|Region|Billing state|Billing state/province|Business state|Mailing state|Mailing state/province|Address 1 - Region',
  'addresses.0.postalCode':
    'Zip|Zip code|Postal code|Zip/Postal code|Postcode|Billing zip|Billing zip/postal code|Billing postal code|Business postal code|Mailing zip/postal code|Mailing postal code|Address 1 - Postal code',
  'addresses.0.country':
    'Country|Country/Region|Billing country|Business country/region|Mailing country|Address 1 - Country',
  'principals.0.firstName': 'Owner first name',
  'principals.0.lastName': 'Owner last name',
  'mids.0.mid': 'MID|Merchant number',
};

/**
 * Names that are also used for something else. A column with such a name has the field only if no other column has it:
 * Title is a job title in Salesforce, but a form of address, such as `Dr.`, in an export of Outlook with a Job Title.
 */
const ambiguousSynonyms: Readonly<Record<string, string>> = { jobTitle: 'Title' };

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

interface Suggestion {
  field: string;
  /** Columns with a lower rank have precedence. */
  rank: number;
}

const ambiguous = Number.POSITIVE_INFINITY;

/** Returns a function that suggests the field of a column. The function returns undefined for an unknown column. */
function fieldSuggestions({ fields }: ImportedResource): (column: string) => Suggestion | undefined {
  const known = new Map<string, Suggestion>();
  const add = (name: string, field: string, rank: number) => {
    if (!known.has(normalized(name))) known.set(normalized(name), { field, rank });
  };
  for (const field of Object.keys((fields as FieldSchema).properties ?? {})) add(field, field, 0);
  for (const [field, names] of Object.entries(synonyms))
    if (schemaAt(fields, field.split('.')))
      for (const [n, name] of names.split('|').entries()) add(name, field, n + 1);
  for (const [field, name] of Object.entries(ambiguousSynonyms))
    if (schemaAt(fields, [field])) add(name, field, ambiguous);
  return (column) => {
    const path = column.split('.');
    if (path.length > 1 && schemaAt(fields, path)) return { field: column, rank: 0 };
    return known.get(normalized(column));
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
 * Returns the field of each column. The given map takes precedence over suggestions: a suggestion is not used for a
 * field that the given map assigns. Columns with the same field follow each other in the order of their precedence, which
 * is the order of the given map, or else the order of the suggestions: a field's own name has precedence over synonyms.
 */
export function mapColumns(
  columns: readonly string[],
  given: ColumnMap,
  resource: ImportedResource,
): ColumnMap {
  const suggest = fieldSuggestions(resource);
  const order = Object.keys(given);
  const assigned = new Set(columns.map((column) => (Object.hasOwn(given, column) ? given[column] : null)));
  const byField = new Map<string, { column: string; rank: number }[]>();
  const fieldOf = new Map<string, string>();
  for (const column of columns) {
    const isGiven = Object.hasOwn(given, column);
    const suggestion = isGiven ? undefined : suggest(column);
    const field = isGiven ? given[column] : suggestion?.field;
    if (!field || (!isGiven && assigned.has(field))) continue;
    fieldOf.set(column, field);
    const rank = suggestion?.rank ?? order.indexOf(column);
    byField.set(field, [...(byField.get(field) ?? []), { column, rank }]);
  }
  const map = new Map<string, string | null>();
  for (const column of columns) {
    const field = fieldOf.get(column);
    if (field === undefined) map.set(column, null);
    else if (!map.has(column)) {
      const ranked = (byField.get(field) ?? []).sort((a, b) => a.rank - b.rank);
      const others = ranked.slice(1).filter(({ rank }) => rank === ambiguous);
      for (const one of ranked) map.set(one.column, others.includes(one) ? null : field);
    }
  }
  return Object.fromEntries(map);
}
