import { expect, test } from 'vitest';
import { partnerContract } from '../../infra/openapi/partner-contract.ts';

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
