import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as accounts from '../shared/accounts/schema.ts';
import * as documents from '../shared/documents/schema.ts';
import * as audit from '../shared/integrity/audit/schema.ts';
import * as notifications from '../shared/messaging/notifications/schema.ts';
import * as apiKeys from '../shared/people/apikeys/schema.ts';
import * as sessions from '../shared/people/sessions/schema.ts';
import * as preferences from '../shared/people/users/notification-preferences.ts';
import * as users from '../shared/people/users/schema.ts';
import * as rotations from '../shared/rotations/schema.ts';
import * as applications from '../shared/sales/applications/schema.ts';
import * as equipment from '../shared/sales/equipment/schema.ts';
import * as leads from '../shared/sales/leads/schema.ts';
import * as lookups from '../shared/sales/lookups/schema.ts';
import * as merchants from '../shared/sales/merchants/schema.ts';
import * as notes from '../shared/sales/notes/schema.ts';
import * as integrations from '../shared/support/integrations/schema.ts';
import * as ticketRotations from '../shared/support/ticket-rotations/schema.ts';
import * as ticketTypes from '../shared/support/ticket-types/schema.ts';
import * as bulk from '../shared/support/tickets/bulk-schema.ts';
import * as tickets from '../shared/support/tickets/schema.ts';

/** The JSON Schema keywords that this test reads. */
interface Schema {
  type?: string | string[];
  format?: string;
  enum?: string[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
}

const people = { ...apiKeys, ...sessions, ...preferences, ...users };
const sales = { ...applications, ...equipment, ...leads, ...lookups, ...merchants, ...notes };
const support = { ...integrations, ...ticketRotations, ...ticketTypes, ...bulk, ...tickets };
const schemas: Record<string, unknown> = {
  ...accounts,
  ...documents,
  ...audit,
  ...notifications,
  ...rotations,
  ...people,
  ...sales,
  ...support,
};

/** A schema by its path, such as `Compliance.documentsRequired.*.status`. */
function schemaAt(path: string): Schema {
  const [root = '', ...steps] = path.split('.');
  const found = steps.reduce<Schema | undefined>(
    (schema, step) =>
      step === '*' ? (schema?.items ?? schema?.additionalProperties) : schema?.properties?.[step],
    schemas[root] as Schema | undefined,
  );
  if (!found) throw new Error(`There is no schema ${path}.`);
  return found;
}

const wordsOf = (text = ''): string[] => (text === 'none' ? [] : text.split(', '));
/**
 * Splits the rows of a section's table into cells. A row that names several schemas becomes one row for each
 * schema.
 */
const linesOf = (section: string): string[][] =>
  [...section.matchAll(/^\| ((?!---|schema ).+) \|$/gm)].flatMap(([, line = '']) => {
    const [names, ...cells] = line.split(' | ');
    return wordsOf(names).map((name) => [name, ...cells]);
  });
const [fields = [], required = [], enums = []] = readFileSync(
  new URL('interface-fields.md', import.meta.url),
  'utf8',
)
  .split('\n## ')
  .slice(1)
  .map(linesOf);

/** `date` or `date-time` for strings in this format, otherwise the JSON Schema type. */
function typeOf({ type, format }: Schema): string | undefined {
  const dated = format === 'date-time' || format === 'date';
  return dated ? format : [type].flat().filter((one) => one !== 'null')[0];
}

test.each(fields)('%s has every documented field, with its type', (path, byType = '', others) => {
  const listed = byType.split('; ').flatMap((group) => {
    const [, type, names] = /^(\S+) (.+)$/.exec(group) ?? [];
    return wordsOf(names).map((name) => [name, type] as const);
  });
  const { properties = {} } = schemaAt(path);
  const types = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, typeOf(one)]));
  expect(types).toMatchObject(Object.fromEntries(listed));
  if (others !== 'any')
    expect(Object.keys(types).sort()).toEqual([...listed.map(([name]) => name), ...wordsOf(others)].sort());
});

test.each(required)('%s requires these fields: %s', (path, names) => {
  const { required: actual = [] } = schemaAt(path);
  const listed = wordsOf(names);
  if (listed.at(-1) === 'others') expect(actual).toEqual(expect.arrayContaining(listed.slice(0, -1)));
  else expect(actual.toSorted()).toEqual(listed.toSorted());
});

test.each(enums)('%s has exactly the documented values', (path, words) => {
  expect(schemaAt(path).enum).toEqual(wordsOf(words));
});

test('all lines of interface-fields.md are compared', () => {
  expect([fields.length, required.length, enums.length]).toEqual([74, 19, 29]);
});

test('a rotation weight is from 1 to 10, and the error of a bulk result can be null', () => {
  expect(schemaAt('BulkResult.results.*.error').type).toEqual(['string', 'null']);
  expect(rotations.RotationMember.properties.weight).toMatchObject({ minimum: 1, maximum: 10 });
});
