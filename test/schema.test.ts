import { describe, expect, test } from 'vitest';
import createLead from '../functions/leads/create-lead.ts';
import createTeam from '../functions/teams/create-team.ts';
import createTicketDocument from '../functions/tickets/create-ticket-document.ts';
import { loadEndpoints } from '../infra/build/endpoints.ts';
import { compileValidators } from '../infra/build/validators.ts';
import { integer, nullable, oneOf, string, unsafe } from '../shared/schema.ts';
import { tenant } from './harness/tenant.ts';

interface Rules {
  type?: string | string[];
  enum?: unknown[];
  maxLength?: number;
  properties?: Record<string, Rules>;
  items?: Rules;
  additionalProperties?: Rules | boolean;
  oneOf?: Rules[];
}

/** All texts in a schema, with the names of their fields and their maximum lengths. */
function textsIn(rules: Rules, name = ''): { name: string; maxLength: number }[] {
  const inside = [
    ...Object.entries(rules.properties ?? {}),
    ...(rules.items ? [[name, rules.items] as const] : []),
    ...(typeof rules.additionalProperties === 'object' ? [[name, rules.additionalProperties] as const] : []),
    ...(rules.oneOf ?? []).map((variant) => [name, variant] as const),
  ].flatMap(([field, inner]) => textsIn(inner, field));
  const isText = [rules.type].flat().includes('string') && !rules.enum;
  const maxLength = rules.maxLength ?? Number.POSITIVE_INFINITY;
  return isText && ![rules.type].flat().includes('integer') ? [...inside, { name, maxLength }] : inside;
}

describe('free text', () => {
  test('every text in a request is limited to at most 65,536 characters', async () => {
    const texts = (await loadEndpoints()).flatMap(({ endpoint: { contract } }) =>
      [contract.params, contract.query, contract.body].flatMap((schema) =>
        schema ? textsIn(schema as Rules) : [],
      ),
    );
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter(({ maxLength }) => maxLength > 65_536)).toEqual([]);
  });

  test('free text that is one character longer than the limit is rejected', async () => {
    const acme = await tenant();
    const statusesOf = async (characters: number) => {
      const text = '🚀'.repeat(characters);
      const lead = { body: { firstName: 'Ada', lastName: 'Byron', company: text } };
      const team = { body: { name: 'West', description: text } };
      return [
        (await acme.admin.call(createTeam, team)).status,
        (await acme.key.call(createLead, lead)).status,
      ];
    };
    expect(await statusesOf(1001)).toEqual([400, 400]);
    expect((await statusesOf(1000))[0]).toBe(201);
  });
});

describe('names', () => {
  const invalid = ['\r\n', '\u001b[31m', ...'\0\u007f\u0085\u061c\u200e\u200f\u2028\u202a\u202e\u2066\u2069'];

  test('no endpoint accepts control characters or direction marks in the name of an account, user, team, role or file', async () => {
    const named = (await loadEndpoints()).filter(
      ({ endpoint: { contract } }) =>
        /^\/(accounts|users|teams|roles)\b|\/documents\b/.test(contract.path) &&
        (contract.body as Rules | undefined)?.properties?.name,
    );
    expect(named.length).toBeGreaterThan(10);
    for (const { endpoint: one } of named) {
      const { body: validate } = compileValidators(one.contract);
      const isRejected = (name: string) => {
        validate?.({ name });
        return validate?.errors?.some(({ instancePath }) => instancePath === '/name') ?? false;
      };
      const where = `${one.contract.method} ${one.contract.path}`;
      for (const part of invalid)
        expect(isRejected(`Al${part}ba`), `${where} ${JSON.stringify(part)}`).toBe(true);
      const longest = (one.contract.body as Rules).properties?.name?.maxLength ?? 0;
      expect([100, 200, 255], where).toContain(longest);
      const atLimit = ['n'.repeat(longest), 'n'.repeat(longest + 1)];
      expect(atLimit.map(isRejected), where).toEqual([false, true]);
      for (const valid of ['Ünïted & Søn (№ 1)', '港口街咖啡', 'بن', '👩‍👧'])
        expect(isRejected(valid), where).toBe(false);
    }
  });

  test('the error for a rejected name states the field and the reason', async () => {
    const acme = await tenant();
    const { status, body } = await acme.admin.call(createTeam, { body: { name: 'We\u202est' } });
    expect([status, body.details]).toEqual([
      400,
      [{ field: 'name', message: 'must not contain control characters or direction marks' }],
    ]);
    const file = { type: 'contract', name: 'a/b.pdf', contentType: 'application/pdf', size: 1 } as const;
    const refused = await acme.admin.call(createTicketDocument, {
      params: { ticketId: '1' },
      body: { ...file, sha256: '0'.repeat(64) },
    });
    expect(refused.body.details).toEqual([
      { field: 'name', message: 'must not contain control characters, direction marks, / or \\' },
    ]);
  });
});

describe('nullable', () => {
  test('nullable adds null to the type and enum of a schema', () => {
    expect(nullable(integer({ minimum: 1 }))).toMatchObject({ type: ['integer', 'null'], minimum: 1 });
    expect(nullable(oneOf(['a', 'b']))).toMatchObject({ type: ['string', 'null'], enum: ['a', 'b', null] });
  });

  test.each([
    ['of alternatives', unsafe({ anyOf: [string(), integer()] })],
    ['that accepts any value', unsafe({})],
    ['that is already nullable', nullable(string())],
  ])('nullable of a schema %s throws', (_, schema) => {
    expect(() => nullable(schema)).toThrow('nullable() needs a schema with one "type"');
  });
});
