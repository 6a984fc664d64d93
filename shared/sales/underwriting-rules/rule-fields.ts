import type { TSchema } from '../../schema.ts';
import { ownerFields, sectionFields, sensitiveFormFields } from '../applications/record/fields.ts';

// The build inlines the value of this module, so bundles do not contain the schemas of the form.

type FieldKind = 'number' | 'text' | 'boolean' | 'secret';

const sensitive: Readonly<Record<string, readonly string[]>> = sensitiveFormFields;

const kindsOf = (section: string, fields: Readonly<Record<string, TSchema>>) =>
  Object.entries(fields).map(([name, schema]): [string, FieldKind] => {
    const { type } = schema as { type?: unknown };
    const path = section === 'businessOwners' ? `businessOwners[].${name}` : `${section}.${name}`;
    if (sensitive[section]?.includes(name)) return [path, 'secret'];
    return [path, type === 'string' ? 'text' : type === 'boolean' ? 'boolean' : 'number'];
  });

/** The facts about a submission that are not fields of the form. */
const facts: Readonly<Record<string, FieldKind>> = {
  'risk.score': 'number',
  'risk.level': 'text',
  'readiness.isComplete': 'boolean',
  'readiness.percentage': 'number',
  'readiness.missingFields': 'number',
  'readiness.warnings': 'number',
  'documents.percentage': 'number',
  'documents.missing': 'number',
  'owners.count': 'number',
  'application.createdAt': 'text',
  'application.completedAt': 'text',
};

/** The fields that a rule may test: the form, and the facts about a submission. A `secret` is a sensitive field. */
export const ruleFields: Readonly<Record<string, FieldKind>> = Object.fromEntries([
  ...Object.entries(sectionFields).flatMap(([section, fields]) => kindsOf(section, fields)),
  ...kindsOf('businessOwners', ownerFields),
  ...Object.entries(facts),
]);
