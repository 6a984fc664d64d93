import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';

test('the OpenAPI document has no errors or warnings under the recommended rules', async () => {
  const endpoints = await loadEndpoints();
  const document = openApiDocument(
    endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract })),
  );
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  const messages = problems.map(
    ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`,
  );
  expect(messages).toEqual([]);
});
