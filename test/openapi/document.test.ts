import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../infra/openapi/document.ts';
import type { Contract } from '../../shared/endpoints/contract.ts';
import {
  array,
  dateTime,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  string,
  union,
} from '../../shared/schema.ts';

const Lead = object({
  id: integer(),
  firstName: string(),
  createdAt: dateTime({ readOnly: true }),
  version: integer({ examples: [1] }),
});
const LeadParams = object({ leadId: integer({ description: 'The id of the lead.' }) });

const listLeads: Contract = {
  method: 'GET',
  path: '/leads',
  permission: 'readLeads',
  query: object({ page: optional(integer({ description: 'From 1.' })) }),
  response: object({ data: array(Lead), totalCount: integer() }),
  summary: 'List leads',
};
const createLead: Contract = {
  method: 'POST',
  path: '/leads',
  permission: 'writeLeads',
  body: object({ firstName: string() }),
  response: Lead,
  success: 'created',
  errors: ['team_required'],
  emits: ['lead_created'],
  summary: 'Create a lead',
};
const simulate: Contract = {
  method: 'POST',
  path: '/simulations',
  permission: 'readLeads',
  response: Lead,
  summary: 'Simulate',
};
const deleteLead: Contract = {
  method: 'DELETE',
  path: '/leads/{leadId}',
  administratorOnly: true,
  params: LeadParams,
  response: Lead,
  writes: true,
  summary: 'Delete a lead',
};
const readDocs: Contract = {
  method: 'GET',
  path: '/docs',
  access: 'public',
  response: string(),
  mediaType: 'text/html; charset=utf-8',
  summary: 'Read the reference',
};
const createApiKey: Contract = {
  method: 'POST',
  path: '/apikeys',
  access: 'home',
  permission: 'writeApiKeys',
  body: object({ description: string() }),
  response: object({ description: string(), apiSecret: string() }),
  oneTime: ['apiSecret'],
  summary: 'Create an API key',
};
const logout: Contract = {
  method: 'POST',
  path: '/auth/logout',
  access: 'session',
  sessionOnly: true,
  response: object({}),
  summary: 'Sign out',
};
const handleUnknownRoute: Contract = {
  ...readDocs,
  method: 'ANY',
  path: '$default',
  summary: 'Refuse the rest',
};

const endpoints = [
  { name: 'service-read-docs', contract: readDocs },
  { name: 'service-refuse-unknown-route', contract: handleUnknownRoute },
  { name: 'leads-delete-lead', contract: deleteLead },
  { name: 'leads-create-lead', contract: createLead },
  { name: 'leads-list-leads', contract: listLeads },
  { name: 'auth-logout', contract: logout },
  { name: 'apikeys-create-api-key', contract: createApiKey },
];
const document = openApiDocument(endpoints);
const operation = (method: string, path: string) => {
  const found = document.paths[path]?.[method];
  if (!found) throw new Error(`No operation ${method} ${path}`);
  return found;
};
const statuses = (method: string, path: string) => Object.keys(operation(method, path).responses).map(Number);
const references = (method: string, path: string) =>
  (operation(method, path).parameters ?? []).map((parameter) =>
    '$ref' in parameter ? parameter.$ref.replace('#/components/parameters/', '') : parameter.name,
  );

describe('the order', () => {
  test('groups are in the order of the reference, and empty groups are omitted', () => {
    expect(document.tags.map(({ name }) => name)).toEqual(['API keys', 'Authentication', 'Leads', 'Service']);
  });

  test('paths are in the order of their groups, and a collection is before its records', () => {
    expect(Object.keys(document.paths)).toEqual([
      '/apikeys',
      '/auth/logout',
      '/leads',
      '/leads/{leadId}',
      '/docs',
    ]);
    expect(Object.keys(document.paths['/leads'] ?? {})).toEqual(['get', 'post']);
  });

  test('the endpoint for unknown paths is not an operation', () => {
    expect(JSON.stringify(document)).not.toContain('$default');
  });

  test('the document does not depend on the order of the files', () => {
    expect(JSON.stringify(openApiDocument([...endpoints].reverse()))).toBe(JSON.stringify(document));
  });
});

describe('an operation', () => {
  test('an operation has the name of its file', () => {
    const named = (method: string, path: string) => operation(method, path).operationId;
    expect(named('post', '/leads')).toBe('createLead');
    expect(named('post', '/apikeys')).toBe('createApiKey');
    expect(named('post', '/auth/logout')).toBe('logout');
  });

  test('an operation lists its required permission and its events', () => {
    expect(operation('post', '/leads')).toMatchObject({
      description: 'Requires the permission `writeLeads`.\n\nEmits `lead_created`.',
      'x-required-permissions': ['writeLeads'],
      'x-emits': ['lead_created'],
    });
    expect(operation('delete', '/leads/{leadId}')).toMatchObject({ 'x-administrator-only': true });
  });

  test('an operation lists all of several required permissions', () => {
    const contract: Contract = {
      ...createLead,
      path: '/several',
      permission: ['writeLeads', 'writeApplications'],
    };
    const { paths } = openApiDocument([{ name: 'leads-several', contract }]);
    expect(paths['/several']?.post).toMatchObject({
      description: expect.stringContaining('Requires the permissions `writeLeads` and `writeApplications`.'),
      'x-required-permissions': ['writeLeads', 'writeApplications'],
      responses: { 403: { content: { 'application/json': { examples: { permission_denied: {} } } } } },
    });
  });

  test('an operation accepts a session token or an API key with its secret, unless it is public', () => {
    const signedIn = [{ sessionToken: [] }, { apiKey: [], apiSecret: [] }];
    expect(operation('get', '/leads').security).toEqual(signedIn);
    expect(operation('get', '/docs').security).toEqual([]);
  });

  test('an operation documents that it accepts no API key', () => {
    for (const { security, description } of [
      operation('post', '/auth/logout'),
      operation('delete', '/leads/{leadId}'),
    ]) {
      expect(security).toEqual([{ sessionToken: [] }]);
      expect(description).toMatch(/API keys .*are not accepted/);
    }
  });

  test('the account header of an operation depends on its kind of access', () => {
    expect(references('get', '/leads')).toContain('AccountId');
    expect(references('post', '/apikeys')).toContain('OptionalAccountId');
    expect(references('post', '/auth/logout')).toEqual([]);
    expect(references('delete', '/leads/{leadId}')).toContain('RequiredAccountId');
    const { AccountId, OptionalAccountId, RequiredAccountId } = document.components.parameters;
    expect(RequiredAccountId).toMatchObject({ name: 'x-account-id', required: true });
    expect([AccountId?.required, OptionalAccountId?.required]).toEqual([undefined, undefined]);
  });

  test('Idempotency-Key is documented for each POST outside /auth that writes data, and If-Match for each change of a record', () => {
    expect(references('post', '/leads')).toEqual(['DryRun', 'AccountId', 'IdempotencyKey']);
    const { paths } = openApiDocument([{ name: 'simulations-simulate-lead', contract: simulate }]);
    expect(paths['/simulations']?.post?.parameters).toEqual([{ $ref: '#/components/parameters/AccountId' }]);
    expect(references('delete', '/leads/{leadId}')).toEqual([
      'leadId',
      'DryRun',
      'RequiredAccountId',
      'IfMatch',
    ]);
  });

  test('the description of a parameter is next to its schema, not in it', () => {
    expect(operation('delete', '/leads/{leadId}').parameters?.[0]).toMatchObject({
      in: 'path',
      required: true,
      description: 'The id of the lead.',
      schema: { type: 'integer' },
    });
    expect(operation('get', '/leads').parameters?.[0]).toMatchObject({ in: 'query', description: 'From 1.' });
  });

  test('the pattern of a sort parameter accepts exactly lists of its fields, each ascending or descending', () => {
    const sort = optional(string({ 'x-sort-fields': ['name', 'createdAt'] }));
    const contract = { ...listLeads, query: object({ sort }) };
    const [parameter] =
      openApiDocument([{ name: 'leads-list-leads', contract }]).paths['/leads']?.get?.parameters ?? [];
    const { pattern } = (parameter as { schema: { pattern: string } }).schema;
    const accepted = ['name', '-createdAt', 'createdAt,-name', 'name,', 'other', 'names', '--name'].filter(
      (text) => new RegExp(pattern).test(text),
    );
    expect(accepted).toEqual(['name', '-createdAt', 'createdAt,-name']);
  });
});

describe('the responses', () => {
  test('a field whose value is shown only once is still required, because a replayed response contains REDACTED in its place', () => {
    const created = operation('post', '/apikeys').responses[200];
    expect(created).toMatchObject({ description: expect.stringContaining('`REDACTED` in `apiSecret`') });
    expect(created).toHaveProperty(
      ['content', 'application/json', 'schema', 'required'],
      ['description', 'apiSecret'],
    );
    expect(created).toHaveProperty(['content', 'application/json', 'example', 'apiSecret']);
  });

  test('a GET of a document has an ETag and returns 304 for If-None-Match', () => {
    expect(references('get', '/docs')).toEqual(['IfNoneMatch']);
    const tag = { ETag: { $ref: '#/components/headers/DocumentETag' } };
    expect(operation('get', '/docs').responses[200]).toMatchObject({ headers: tag });
    expect(operation('get', '/docs').responses[304]).toMatchObject({ headers: tag });
  });

  test('a success response is documented with its status and schema, and with an ETag if the record has a version', () => {
    const created = operation('post', '/leads').responses[201];
    expect(created).toMatchObject({
      headers: { ETag: {}, 'Idempotency-Replayed': {}, 'x-request-id': {} },
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Lead' } },
      },
    });
    expect(document.components.schemas.Lead).toMatchObject({ examples: [{ version: 1 }] });
    expect(operation('get', '/leads').responses[200]).not.toHaveProperty('headers.ETag');
  });

  test('a schema that several responses share is a component', () => {
    expect(operation('get', '/leads').responses[200]).toHaveProperty(
      ['content', 'application/json', 'schema', 'properties', 'data', 'items'],
      { $ref: '#/components/schemas/Lead' },
    );
    expect(document.components.schemas.Lead).toMatchObject({ properties: { firstName: { type: 'string' } } });
  });

  test('a request body is a component that is named after its operation and contains an example', () => {
    expect(operation('post', '/leads').requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/LeadInput' } } },
    });
    expect(document.components.schemas.LeadInput).toMatchObject({
      properties: { firstName: { type: 'string' } },
      examples: [{ firstName: expect.any(String) }],
    });
  });

  test('an enum that several fields use is a component, and a nullable field accepts the component or null', () => {
    const level = oneOf(['low', 'medium', 'high', 'critical'], { description: 'Of the lead.' });
    const rated = { ...createLead, response: object({ level, previous: nullable(level) }) };
    const { paths, components } = openApiDocument([{ name: 'leads-rate-lead', contract: rated }]);
    const $ref = '#/components/schemas/RiskLevel';
    expect(paths['/leads']?.post?.responses[201]).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: {
              level: { $ref, description: 'Of the lead.' },
              previous: { anyOf: [{ $ref }, { type: 'null' }], description: 'Of the lead.' },
            },
          },
        },
      },
    });
    expect(components.schemas.RiskLevel).toEqual({
      type: 'string',
      enum: ['low', 'medium', 'high', 'critical'],
    });
  });

  test('each variant of a union is a component, to which the mapping of the discriminator refers', () => {
    const Email = object({ channel: oneOf(['email']), address: string() });
    const Sms = object({ channel: oneOf(['sms']), phone: string() });
    const Channel = union('channel', [Email, Sms]);
    const response = object({ reply: nullable(Channel) });
    const contract = { ...createLead, body: Channel, response };
    const { paths, components } = openApiDocument([{ name: 'leads-create-lead', contract }]);
    const { schemas } = components;
    const [email, sms] = ['Email', 'Sms'].map((text) => `#/components/schemas/LeadInput${text}`);
    expect(schemas.LeadInput).toMatchObject({
      discriminator: { propertyName: 'channel', mapping: { email, sms } },
      oneOf: [{ $ref: email }, { $ref: sms }],
      examples: [{ channel: 'email' }],
    });
    expect(paths['/leads']?.post?.responses[201]).toHaveProperty(
      ['content', 'application/json', 'schema', 'properties', 'reply', 'anyOf'],
      [{ $ref: '#/components/schemas/LeadInput' }, { type: 'null' }],
    );
    expect(schemas.LeadInputSms).toMatchObject({
      required: ['channel', 'phone'],
      properties: { channel: { type: 'string', const: 'sms' } },
    });
  });

  test('two different schemas cannot have the same component name', () => {
    const other = { ...createLead, path: '/other-leads', body: object({ lastName: string() }) };
    const twice = [...endpoints, { name: 'leads-create-lead', contract: other }];
    expect(() => openApiDocument(twice)).toThrow('Two schemas have the name LeadInput');
  });

  test('an HTML page has its own media type', () => {
    expect(operation('get', '/docs').responses[200]).toHaveProperty(
      ['content', 'text/html', 'schema', 'type'],
      'string',
    );
  });

  test('an operation lists exactly its possible statuses', () => {
    expect(statuses('get', '/docs')).toEqual([200, 304, 400, 500]);
    expect(statuses('post', '/auth/logout')).toEqual([200, 400, 401, 429, 500, 503]);
    expect(statuses('get', '/leads')).toEqual([200, 400, 401, 403, 429, 500, 503]);
    expect(statuses('post', '/leads')).toEqual([201, 400, 401, 403, 413, 422, 429, 500, 503]);
    expect(statuses('delete', '/leads/{leadId}')).toEqual([200, 400, 401, 403, 404, 412, 429, 500, 503]);
  });

  test('a status lists its error codes, with an example for each', () => {
    const refused = operation('post', '/leads').responses[400];
    expect(refused).toMatchObject({
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/CreateLeadBadRequestError' },
          examples: {
            account_required: {},
            invalid_json: {},
            invalid_input: {},
            invalid_idempotency_key: {},
            team_required: { $ref: '#/components/examples/team_required' },
          },
        },
      },
    });
    expect(document.components.schemas.CreateLeadBadRequestError).toMatchObject({
      required: ['error', 'status', 'message', 'requestId'],
      properties: {
        error: {
          enum: [
            'account_required',
            'invalid_json',
            'invalid_input',
            'invalid_idempotency_key',
            'team_required',
          ],
        },
        status: { const: 400 },
      },
    });
    expect(document.components.schemas.BusyError).toMatchObject({
      properties: { error: { const: 'busy' }, status: { const: 503 } },
    });
    expect(document.components.examples.team_required?.value).toMatchObject({
      error: 'team_required',
      status: 400,
    });
  });

  test('a status with one error code refers to a common response', () => {
    expect(operation('get', '/leads').responses[401]).toEqual({
      $ref: '#/components/responses/NotAuthenticated',
    });
    expect(document.components.responses.Busy).toMatchObject({ headers: { 'Retry-After': {} } });
  });
});

test('a resource without a group gets its own group, after all others', () => {
  const stray = { name: 'weather-read-weather', contract: { ...readDocs, path: '/weather' } };
  expect(
    openApiDocument([stray, { name: 'service-read-docs', contract: readDocs }])
      .tags.map(({ name }) => name)
      .at(-1),
  ).toBe('Weather');
});
