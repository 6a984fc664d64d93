import type { OpenAPIV3_1 } from 'openapi-types';
import type { Contract } from '../../shared/endpoints/contract.ts';
import { nounOf, pascalCase } from './naming.ts';

/** A schema of JSON Schema 2020-12 as plain JSON, free of the types it stands for. */
export type JsonSchema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject;

/** An endpoint as the document sees it; `name` is like `leads-create-lead`. */
export interface NamedContract {
  name: string;
  contract: Contract;
}

/** Schemas that several endpoints share, and the references to them. */
export interface SharedSchemas {
  components: Record<string, JsonSchema>;
  /** The schema with a reference wherever it contains a shared one. */
  refer(schema: unknown): JsonSchema;
}

/** The body of every error. */
const errorSchema: JsonSchema = {
  type: 'object',
  required: ['error', 'status', 'message'],
  properties: {
    error: { type: 'string', description: 'A stable code to decide by.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    message: { type: 'string', description: 'What is wrong, and what to do about it.' },
    details: {
      type: 'array',
      description: 'Of a request that is not valid: each field at fault.',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: {
          field: { type: 'string', description: 'A path such as `members[0].weight`.' },
          message: { type: 'string' },
        },
      },
    },
  },
};

/**
 * Finds the object schemas that responses share, such as the one of reading, changing and listing a lead, and names
 * each after the noun of an endpoint whose response is exactly that schema.
 */
export function shareSchemas(endpoints: readonly NamedContract[]): SharedSchemas {
  const uses = new Map<string, number>();
  for (const { contract } of endpoints) countObjects(contract.response, uses);

  const names = new Map<string, string>();
  const components: Record<string, JsonSchema> = { Error: errorSchema };
  for (const { name, contract } of endpoints) {
    const text = JSON.stringify(contract.response);
    if ((uses.get(text) ?? 0) < 2 || names.has(text)) continue;
    const component = [nounOf(name), pascalCase(name)].find((free) => !(free in components));
    if (component === undefined) continue;
    names.set(text, component);
    components[component] = {};
  }

  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    const component = names.get(JSON.stringify(value));
    return component ? { $ref: `#/components/schemas/${component}` } : inside(value);
  };
  const inside = (schema: object): JsonSchema =>
    Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, replaced(value)]));
  for (const [text, component] of names) components[component] = inside(JSON.parse(text));

  return { components, refer: (schema) => replaced(schema) as JsonSchema };
}

function countObjects(schema: unknown, uses: Map<string, number>): void {
  if (typeof schema !== 'object' || schema === null) return;
  if ('properties' in schema) {
    const text = JSON.stringify(schema);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  for (const inner of Object.values(schema)) countObjects(inner, uses);
}
