import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import savePaymentProvider from '../../functions/billing/save-payment-provider.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { successStatus } from '../../shared/endpoints/contract.ts';
import { tenant } from '../harness/tenant.ts';
import { newRecordFor } from '../routes/happy-paths.ts';
import { exampleBody } from '../routes/records.ts';

const endpoints = await loadEndpoints();
const document = openApiDocument(
  endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract })),
);
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

const acme = await tenant();
await acme.admin.ok(savePaymentProvider, { body: { name: 'Northwind Payments', active: true } });
await acme.admin.ok(savePartnerConnection, { body: { url: 'http://127.0.0.1:9/', active: true } });
const showOnce = endpoints
  // Factors need a proved password and the codes of an app. See test/people/factors.test.ts.
  .filter(({ endpoint }) => endpoint.contract.oneTime && !endpoint.contract.path.startsWith('/auth/'))
  .map(({ name, endpoint }) => ({ name, endpoint }));

test.each(showOnce)(
  'a response with a field that is shown once, and its replay, match the OpenAPI document: $name',
  async ({ endpoint }) => {
    const { path, method, oneTime = [] } = endpoint.contract;
    const status = successStatus(endpoint.contract);
    const place = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      status,
      'content',
      'application/json',
      'schema',
    ];
    const pointer = place.map((part) => String(part).replaceAll('/', '~1')).join('/');
    const validate = ajv.compile({ $ref: `document#/${encodeURI(pointer)}` });
    const { real: params } = path.includes('{') ? await newRecordFor(endpoint, acme) : { real: {} };
    // Only a key with this permission has a bearer token.
    const granted = path === '/apikeys' ? { flatPermissionsList: ['provisionUsers'] } : {};
    const body = { ...Object(exampleBody(endpoint)), ...granted };
    const sent = { params, body, headers: { 'idempotency-key': 'once' } };
    const [first, replayed] = [await acme.admin.call(endpoint, sent), await acme.admin.call(endpoint, sent)];
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    for (const { body } of [first, replayed]) expect(validate(body) ? [] : validate.errors).toEqual([]);
    for (const field of oneTime) {
      expect(first.body).toHaveProperty(field);
      expect(replayed.body).toHaveProperty(field, 'REDACTED');
    }
  },
);
