import { describe, expect, test } from 'vitest';
import createLead from '../functions/leads/create-lead.ts';
import createTeam from '../functions/teams/create-team.ts';
import { loadEndpoints } from '../infra/build/endpoints.ts';
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

/** Longer on purpose: what people write at length, addresses of the web, a token, a password before it is judged. */
const longer = [
  'notes',
  'imgSrc',
  'portalUrl',
  // Of a notification: the address of the portal, and the way in it.
  'portalLink',
  'token',
  'password',
  'currentPassword',
  'appFlags',
  'applicationLog',
  'website',
  'certificateUrl',
  // With a signature in it.
  'url',
  'content',
  // Of a comment.
  'body',
  // Of a ticket.
  'description',
  'message',
  // What a webhook's receiver responded, at most 2 KB.
  'response',
  // An event as it was sealed.
  'sealedText',
];

describe('free text', () => {
  test('free text takes at most 1,000 characters in every field of every endpoint but the few that are named here', async () => {
    const endpoints = (await loadEndpoints()).filter(({ endpoint }) => !endpoint.contract.mediaType);
    const texts = endpoints.flatMap(({ endpoint: { contract } }) =>
      [contract.params, contract.query, contract.body, contract.response].flatMap((schema) =>
        schema ? textsIn(schema as Rules) : [],
      ),
    );
    expect(texts.length).toBeGreaterThan(500);
    const long = texts.filter(({ maxLength }) => maxLength > 1000).map(({ name }) => name);
    expect([...new Set(long)].sort()).toEqual([...longer].sort());
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
