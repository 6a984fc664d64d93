import { describe, expect, test } from 'vitest';
import logIn from '../functions/auth/log-in.ts';
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
  test('every text in a request is limited to at most 65,536 characters, except the files of banks', async () => {
    const texts = (await loadEndpoints()).flatMap(({ endpoint: { contract } }) =>
      [contract.params, contract.query, contract.body].flatMap((schema) =>
        schema ? textsIn(schema as Rules) : [],
      ),
    );
    expect(texts.length).toBeGreaterThan(300);
    const long = texts.filter(({ maxLength }) => maxLength > 65_536);
    expect(long.sort((one, other) => one.name.localeCompare(other.name))).toEqual([
      { name: 'fileContent', maxLength: 200_000 },
      { name: 'statement', maxLength: 200_000 },
    ]);
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

describe('a text in a request', () => {
  test('a one-line text must not contain control characters, line breaks and direction overrides', async () => {
    const acme = await tenant();
    const query = { skipTeamAndSourceRequirement: true };
    for (const part of [
      '\0',
      '\t',
      '\r\n',
      '\n',
      '\u001b[31m',
      '\u007f',
      '\u0085',
      '\u009d',
      '\u2028',
      '\u202e',
      '\u2066',
    ]) {
      const body = { firstName: 'Ada', lastName: 'Byron', company: `Har${part}bor` };
      const refused = await acme.key.call(createLead, { query, body });
      expect([refused.status, refused.body.details], JSON.stringify(part)).toEqual([
        400,
        [
          {
            field: 'company',
            message: 'must be one line, without control characters and direction overrides',
          },
        ],
      ]);
    }
    const company = 'شركة\u200f 👩‍👧 می\u200cخواهم';
    expect(
      await acme.key.ok(createLead, { query, body: { firstName: 'Ada', lastName: 'Byron', company } }),
    ).toMatchObject({ company });
  });

  test('every line break of a text with several lines is stored as a line feed', async () => {
    const acme = await tenant();
    const query = { skipTeamAndSourceRequirement: true };
    const ada = { firstName: 'Ada', lastName: 'Byron' };
    const notes = 'a\r\nb\rc\nd\u2028e\u2029f\u0085g\vh\ti';
    expect(await acme.key.ok(createLead, { query, body: { ...ada, notes } })).toMatchObject({
      notes: 'a\nb\nc\nd\ne\nf\ng\nh\ti',
    });
    for (const part of ['\0', '\u001b', '\u007f', '\u009d']) {
      const refused = await acme.key.call(createLead, { query, body: { ...ada, notes: `a${part}b` } });
      expect([refused.status, refused.body.details?.[0]?.field], JSON.stringify(part)).toEqual([
        400,
        'notes',
      ]);
    }
  });

  test('a required text must contain a visible character', async () => {
    const acme = await tenant();
    const query = { skipTeamAndSourceRequirement: true };
    for (const invisible of [
      ' ',
      '\u00a0',
      '\u200b',
      '\u2060',
      '\u00ad',
      '\ufeff',
      '\u3164',
      '\u115f',
      '\uffa0',
      '\u2800',
      '\u034f',
      '\u{e0041}',
      '\u180e',
    ]) {
      const body = { firstName: 'Ada', lastName: invisible.repeat(3) };
      const refused = await acme.key.call(createLead, { query, body });
      expect([refused.status, refused.body.details], JSON.stringify(invisible)).toEqual([
        400,
        [{ field: 'lastName', message: 'must contain a visible character' }],
      ]);
    }
    for (const lastName of ['李', '👩‍👧', '№', '-', '1', 'ㅤa'])
      expect((await acme.key.call(createLead, { query, body: { firstName: 'Ada', lastName } })).status).toBe(
        201,
      );
  });

  test('an entered password may contain any character, as when it was set', async () => {
    const acme = await tenant();
    const body = { email: acme.adminEmail, password: 'wrong\tpassword\u0000' };
    expect((await acme.key.call(logIn, { body })).status).toBe(401);
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
    expect(refused.body.details).toEqual([{ field: 'name', message: 'must not contain / or \\' }]);
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
