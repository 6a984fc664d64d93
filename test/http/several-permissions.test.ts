import { expect, test } from 'vitest';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { object } from '../../shared/schema.ts';
import { client, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const convert = endpoint(
  {
    method: 'POST',
    path: '/things',
    permission: ['writeLeads', 'writeApplications'],
    response: object({}),
    summary: 'Do two things',
  },
  { decide: () => ({ response: {} }) },
);

const statusWith = async (flatPermissionsList: string[]) => {
  const body = { description: 'For one test', flatPermissionsList };
  const { apiKey, apiSecret } = await acme.admin.ok(createApiKey, { body });
  const by = client({ 'x-account-id': acme.accountId, 'x-api-key': apiKey, 'x-api-secret': apiSecret });
  const { status, body: response } = await by.call(convert);
  return [status, response.error];
};

test('a route that names several permissions lets nobody in who lacks one of them', async () => {
  expect(await statusWith(['writeLeads', 'writeApplications'])).toEqual([200, undefined]);
  for (const held of [['writeLeads'], ['writeApplications'], ['readLeads', 'readApplications']])
    expect(await statusWith(held), held.join()).toEqual([403, 'permission_denied']);
});

test('a route that names several permissions is documented with all of them, and with the 403', () => {
  const document = openApiDocument([{ name: 'things-do', contract: convert.contract }]);
  expect(document.paths['/things']?.post).toMatchObject({
    description: 'Requires the permissions `writeLeads` and `writeApplications`.',
    'x-required-permissions': ['writeLeads', 'writeApplications'],
    responses: { 403: { content: { 'application/json': { examples: { permission_denied: {} } } } } },
  });
});
