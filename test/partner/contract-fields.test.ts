import { expect, test } from 'vitest';
import { partnerContract } from '../../infra/openapi/partner-contract.ts';
import { shownSections } from '../../shared/sales/applications/record/schema.ts';

test('the partner contract describes the encrypted values of an application, which are optional', () => {
  const { requestBody } = partnerContract().paths['/applications'].post as unknown as {
    requestBody: { content: object };
  };
  const [{ schema }] = Object.values(requestBody.content);
  expect(schema.properties.sensitive).toEqual({
    type: 'string',
    description: expect.stringMatching(/JWE.*public key/),
  });
  expect(schema.required).not.toContain('sensitive');
});

/** The fields of an application are those of the interface, which may get further fields. */
const ofInterface = new Set(Object.keys(shownSections));
const texts = new Set(['description', 'summary', 'examples']);

test('all other fields, types and statuses are those that partners have implemented', async () => {
  await expect(linesOf(partnerContract().paths).join('\n')).toMatchFileSnapshot('contract-v1.txt');
});

/** Returns a line for each value that is not a text for readers. */
function linesOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path} = ${value}`];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (ofInterface.has(name)) return [`${path}/${name}`];
    const isText = texts.has(name) && (typeof inner === 'string' || Array.isArray(inner));
    return isText ? [] : linesOf(inner, `${path}/${name}`);
  });
}
