import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { partnerContract } from '../../infra/openapi/partner-contract.ts';
import { apiVersion } from '../../shared/api-version.ts';

const endpoints = await loadEndpoints();
const document = openApiDocument(
  endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract })),
);

test('the OpenAPI document has no errors or warnings under the recommended rules', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  const messages = problems.map(
    ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`,
  );
  // The partner's path has another method than the paths of the mappings. Sign-ins of browsers respond with redirects.
  const expected = ['{accountId}/events`', '~1auth~1sso~1callback/get', '~1auth~1sso~1start/get'];
  expect(messages.filter((message) => !expected.some((one) => message.includes(one)))).toEqual([]);
});

test('Partner contract v1 has no errors or warnings under the recommended rules', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(partnerContract()),
    absoluteRef: '/partner-contract.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test('the id of a document is a string in every path', () => {
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.includes('{documentId}'))
    .flatMap(([, methods]) => Object.values(methods));
  expect(operations).toHaveLength(13);
  for (const { parameters } of operations)
    expect(parameters).toContainEqual(
      expect.objectContaining({ name: 'documentId', schema: expect.objectContaining({ type: 'string' }) }),
    );
});

test('the version of the API is the date of the newest change that the guide describes', () => {
  const dates = [...(document.info.description ?? '').matchAll(/^### (\d{4}-\d\d-\d\d)$/gm)].map(
    ([, date]) => date,
  );
  expect(dates).toEqual(dates.toSorted().toReversed());
  expect(dates[0]).toBe(apiVersion);
  expect(document.info.version).toBe(apiVersion);
});
