import { describe, expect, test } from 'vitest';
import createLead from '../functions/leads/create-lead.ts';
import createTeam from '../functions/teams/create-team.ts';
import createTicketDocument from '../functions/tickets/create-ticket-document.ts';
import { loadEndpoints } from '../infra/build/endpoints.ts';
import { compileValidators } from '../infra/build/validators.ts';
import { tenant } from './harness/tenant.ts';

interface Rules {
  type?: string | string[];
  enum?: unknown[];
  maxLength?: number;
  properties?: Record<string, Rules>;
  items?: Rules;
  additionalProperties?: Rules | boolean;
}

/** Every text in a schema with how long it may be, by the name of its field. */
function textsIn(rules: Rules, name = ''): { name: string; maxLength: number }[] {
  const inside = [
    ...Object.entries(rules.properties ?? {}),
    ...(rules.items ? [[name, rules.items] as const] : []),
    ...(typeof rules.additionalProperties === 'object' ? [[name, rules.additionalProperties] as const] : []),
  ].flatMap(([field, inner]) => textsIn(inner, field));
  const isText = [rules.type].flat().includes('string') && !rules.enum;
  const maxLength = rules.maxLength ?? Number.POSITIVE_INFINITY;
  return isText && ![rules.type].flat().includes('integer') ? [...inside, { name, maxLength }] : inside;
}

describe('free text', () => {
  test('every text that a request may send has a limit of at most 65,536 characters', async () => {
    const texts = (await loadEndpoints()).flatMap(({ endpoint: { contract } }) =>
      [contract.params, contract.query, contract.body].flatMap((schema) =>
        schema ? textsIn(schema as Rules) : [],
      ),
    );
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter(({ maxLength }) => maxLength > 65_536)).toEqual([]);
  });

  test('free text of one character more is refused', async () => {
    const acme = await tenant();
    const attempt = async (characters: number) => {
      const text = '🚀'.repeat(characters);
      const lead = { body: { firstName: 'Ada', lastName: 'Byron', company: text } };
      const team = { body: { name: 'West', description: text } };
      return [
        (await acme.admin.call(createTeam, team)).status,
        (await acme.key.call(createLead, lead)).status,
      ];
    };
    expect(await attempt(1001)).toEqual([400, 400]);
    expect((await attempt(1000))[0]).toBe(201);
  });
});

describe('names', () => {
  const bad = [
    '\r\n',
    '\u001b[31m',
    '\0',
    '\u007f',
    '\u0085',
    '\u061c',
    '\u200e',
    '\u200f',
    '\u2028',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
  ];

  test('no endpoint accepts control characters or direction marks in the name of an account, user, team, role or file', async () => {
    const named = (await loadEndpoints()).filter(
      ({ endpoint: { contract } }) =>
        /^\/(accounts|users|teams|roles)\b|\/documents\b/.test(contract.path) &&
        (contract.body as Rules | undefined)?.properties?.name,
    );
    expect(named.length).toBeGreaterThan(10);
    for (const { endpoint: one } of named) {
      const { body: validate } = compileValidators(one.contract);
      const faultOf = (name: string) => {
        validate?.({ name });
        return validate?.errors?.some(({ instancePath }) => instancePath === '/name') ?? false;
      };
      const where = `${one.contract.method} ${one.contract.path}`;
      for (const part of bad) expect(faultOf(`Al${part}ba`), `${where} ${JSON.stringify(part)}`).toBe(true);
      const longest = (one.contract.body as Rules).properties?.name?.maxLength ?? 0;
      expect([100, 200, 255], where).toContain(longest);
      expect([faultOf('n'.repeat(longest)), faultOf('n'.repeat(longest + 1))], where).toEqual([false, true]);
      for (const good of ['Ünïted & Søn (№ 1)', '港口街咖啡', 'بن', '👩‍👧'])
        expect(faultOf(good), where).toBe(false);
    }
  });

  test('a refused name is named with the reason', async () => {
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
