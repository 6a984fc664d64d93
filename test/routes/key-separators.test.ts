import { describe, expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { querySchema } from '../../infra/contract-schemas.ts';
import { exampleOf } from '../../infra/openapi/example.ts';
import { call } from '../harness/call.ts';
import { tenant } from '../harness/tenant.ts';
import { nameOf } from './records.ts';

type Rules = { type?: unknown; enum?: unknown; format?: unknown; pattern?: unknown; items?: Rules };
type Fields = Record<string, Rules>;

/** The fields that accept any text of one line. */
const textFields = (schema: unknown): string[] =>
  Object.entries((schema as { properties?: Fields } | undefined)?.properties ?? {})
    .filter(([, rules]) => {
      const { type, enum: values, format, pattern } = rules.items ?? rules;
      return type === 'string' && !values && !format && !pattern;
    })
    .map(([name]) => name);

const requiredOf = (schema: unknown): Record<string, unknown> => {
  const { required = [], properties = {} } = (schema ?? {}) as { required?: string[]; properties?: Fields };
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] as object, 'request')]));
};

/** Texts with the separator of keys, at each place. */
const separated = ['a#b', '#a', 'a#', '#', 'ACCOUNT#acme#LEAD'];

describe('a text with the separator of keys is never an internal error', async () => {
  const owner = await tenant();
  const cases = (await loadEndpoints()).flatMap(({ endpoint }) => {
    const { contract } = endpoint;
    const [params, query] = [contract.params, querySchema(contract)];
    return [
      ...textFields(params).map((field) => ({ endpoint, part: 'params' as const, field, params, query })),
      ...textFields(query).map((field) => ({ endpoint, part: 'query' as const, field, params, query })),
    ].map((one) => ({ ...one, name: `${one.field} in the ${one.part} of ${nameOf(contract)}` }));
  });

  test.each(cases)('$name', async ({ endpoint, part, field, params, query }) => {
    for (const text of separated) {
      const sent = { params: requiredOf(params), query: requiredOf(query) };
      const { contract } = endpoint;
      const { status, body } = await call(endpoint, {
        ...{ ...sent, [part]: { ...sent[part], [field]: text } },
        ...(contract.body && { body: exampleOf(contract.body, 'request') }),
        headers: owner.directKey.headers,
      } as never);
      expect(status, `${text}: ${JSON.stringify(body)}`).toBeLessThan(500);
    }
  });
});
