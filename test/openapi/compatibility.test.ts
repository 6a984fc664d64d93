import { expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import {
  incompatibilities,
  incompatibleMessage,
  type Published,
  publishedOf,
  unannouncedChanges,
} from '../../infra/openapi/compatibility.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { readPublished } from '../../infra/openapi/published-file.ts';

const endpoints = await loadEndpoints();
const documentOf = (included: typeof endpoints): Published =>
  publishedOf(openApiDocument(included.map(({ name, endpoint }) => ({ name, contract: endpoint.contract }))));
const document = documentOf(endpoints);

test('the document is compatible with the published document, or has a later version', () => {
  const changes = unannouncedChanges(readPublished(), document);
  expect(changes, incompatibleMessage(changes)).toEqual([]);
});

type Json = { [name: string]: Json } & Json[];

const leads = documentOf(endpoints.filter(({ name }) => name.startsWith('leads-')));

/** A document with one path. */
const part: Published = {
  ...leads,
  paths: Object.fromEntries(Object.entries(leads.paths).filter(([path]) => path === '/leads')),
};

/**
 * Returns the incompatible changes between `part` and a copy that `mutate` changes. `at` returns the value at
 * a path of the copy.
 */
function changesAfter(mutate: (at: (...path: string[]) => Json) => void): string[] {
  const changed = structuredClone(part);
  mutate((...path) => path.reduce((value, name) => value[name] as Json, changed as unknown as Json));
  return incompatibilities(part, changed);
}

const lead = ['components', 'schemas', 'Lead'];
const input = ['components', 'schemas', 'LeadInput'];
const createLead = ['paths', '/leads', 'post'];

test.each<[string, (at: (...path: string[]) => Json) => void, RegExp]>([
  ['a removed operation', (at) => delete at('paths', '/leads').post, /^POST \/leads: .*removed/],
  ['a removed field of a response', (at) => delete at(...lead, 'properties').firstName, /firstName/],
  [
    'another type of a response field',
    (at) => Object.assign(at(...lead, 'properties', 'id'), { type: 'string' }),
    /id/,
  ],
  [
    'another format of a response field',
    (at) => Object.assign(at(...lead, 'properties', 'createdAt'), { format: 'date' }),
    /createdAt/,
  ],
  [
    'a response field that may be absent',
    (at) => at(...lead, 'required').splice(0, 1),
    /Lead\.id in responses.*missing/,
  ],
  ['a new required field of a request', (at) => at(...input, 'required').push('email' as never), /required/],
  ['a removed field of a request', (at) => delete at(...input, 'properties').notes, /notes/],
  [
    'a shorter limit of a request field',
    (at) => Object.assign(at(...input, 'properties', 'firstName'), { maxLength: 3 }),
    /maxLength/i,
  ],
  [
    'a new required parameter',
    (at) =>
      at(...createLead, 'parameters').push({ name: 'x', in: 'query', required: true, schema: {} } as never),
    /^POST \/leads: .*x/,
  ],
  ['a removed parameter', (at) => at(...createLead, 'parameters').splice(0, 1), /^POST \/leads: /],
  ['another status of a success', (at) => rename(at(...createLead, 'responses'), '201', '200'), /201/],
])('%s is incompatible', (_, mutate, expected) => {
  const changes = changesAfter(mutate);
  expect(changes).not.toEqual([]);
  expect(changes.join('\n')).toMatch(expected);
});

test('another value in the enum of a response field is compatible, and a renamed value is not', () => {
  const withValues = (...values: string[]) => {
    const changed = structuredClone(part) as unknown as Json;
    Object.assign(lead.reduce((value, name) => value[name] as Json, changed).properties?.company ?? {}, {
      enum: values,
    });
    return changed as unknown as Published;
  };
  expect(incompatibilities(withValues('a', 'b'), withValues('a', 'b', 'c'))).toEqual([]);
  expect(incompatibilities(withValues('a', 'b'), withValues('a', 'c'))).not.toEqual([]);
});

test('a lead needs a name, and a ticket needs a text and a requester', () => {
  const { schemas } = document.components as { schemas: Record<string, { required?: string[] }> };
  expect(schemas.LeadInput?.required).toEqual(['firstName', 'lastName']);
  expect(schemas.TicketInput?.required).toEqual(['subject', 'description', 'requesterType', 'requesterId']);
});

function rename(object: Json, from: string, to: string): void {
  Object.assign(object, { [to]: object[from] });
  delete object[from];
}

test('new operations, optional parameters, fields, error codes and event kinds are compatible', () => {
  const changes = changesAfter((at) => {
    Object.assign(at('paths'), { '/new': { get: { responses: { 200: {} } } } });
    Object.assign(at(...lead, 'properties'), { newField: { type: 'string' } });
    Object.assign(at(...input, 'properties'), { newField: { type: 'string' } });
    at(...createLead, 'parameters').push({ name: 'x', in: 'query', schema: { type: 'string' } } as never);
    const codes = at('components', 'schemas', 'CreateLeadBadRequestError', 'properties', 'error', 'enum');
    codes.push('a_new_code' as never);
    expect(codes).toContain('a_new_code');
  });
  expect(changes).toEqual([]);
});

test('a comparison does not change the compared documents, which are then published', () => {
  const earlier = documentOf(endpoints.filter(({ name }) => !name.startsWith('received-invoices-')));
  const compared = structuredClone(document);
  expect(incompatibilities(earlier, compared)).toEqual([]);
  expect(compared).toEqual(document);
});

test('a removed header of a response is incompatible, and a new header is compatible', () => {
  const headers = [...createLead, 'responses', '201', 'headers'];
  expect(changesAfter((at) => delete at(...headers).ETag)).toEqual([
    'POST /leads: response 201 header etag: the header is removed',
  ]);
  expect(changesAfter((at) => Object.assign(at(...headers), { 'x-new': { schema: {} } }))).toEqual([]);
});

test('names and values that equal the name of a text are published', () => {
  const published = publishedOf({
    ...openApiDocument([]),
    components: {
      ...openApiDocument([]).components,
      schemas: { title: { type: 'object', title: 'A text', const: { title: 'a value', tags: ['one'] } } },
    },
  });
  expect(published.components).toMatchObject({
    schemas: { title: { type: 'object', const: { title: 'a value', tags: ['one'] } } },
  });
});

test('an incompatible change needs a later version, and its message names the change and the steps', () => {
  const changed = structuredClone(part);
  delete changed.paths['/leads'];
  const changes = unannouncedChanges(part, changed);
  expect(changes).not.toEqual([]);
  const message = incompatibleMessage(changes);
  expect(message).toContain('/leads');
  expect(message).toContain('npm run openapi:publish');
  expect(unannouncedChanges(part, { ...changed, info: { ...changed.info, version: '2999-01-01' } })).toEqual(
    [],
  );
});
