import type { OpenAPIV3_1 } from 'openapi-types';
import type { Contract } from '../../shared/endpoints/contract.ts';
import { nounOf, pascalCase } from './naming.ts';

/** A schema of JSON Schema 2020-12 as plain JSON, without static types. */
export type JsonSchema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject;

export interface NamedContract {
  /** For example `leads-create-lead`. */
  name: string;
  contract: Contract;
}

export interface SharedSchemas {
  components: Record<string, JsonSchema>;
  /** Replaces shared schemas inside a schema with references. */
  refer(schema: unknown): JsonSchema;
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['error', 'status', 'message'],
  properties: {
    error: { type: 'string', description: 'A stable error code.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    message: { type: 'string', description: 'The cause of the error and the remedy.' },
    details: {
      type: 'array',
      description: 'The invalid fields of the request, if any.',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: {
          field: { type: 'string', description: 'The path of the field, for example `members[0].weight`.' },
          message: { type: 'string' },
        },
      },
    },
  },
};

/**
 * Finds the object schemas that several responses contain, such as a lead. Each schema is named after the resource of
 * an endpoint whose response has exactly this schema.
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
