import { expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';

const endpoints = await loadEndpoints();
const document = openApiDocument(
  endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract })),
);
const paths = Object.keys(document.paths);
const operation = (method: string, path: string) => document.paths[path]?.[method] ?? {};

test('a list and its record have the same path, id and title', () => {
  const lead = { path: '/leads/{leadId}', id: 'id', title: ['firstName', 'lastName'] };
  expect(operation('get', '/leads')).toMatchObject({ 'x-record': lead });
  expect(operation('get', '/leads/{leadId}')).toMatchObject({ 'x-record': lead });
  expect(operation('get', '/users')).toMatchObject({ 'x-record': { path: '/users/{email}', id: 'email' } });
});

test('a list of records that another list contains has the path of that list’s records', () => {
  const record = { path: '/accounts/{id}', id: 'id', title: ['name'] };
  expect(operation('get', '/accounts/children')).toMatchObject({ 'x-record': record });
});

test('a list whose records have no path of their own has no x-record', () => {
  for (const path of ['/permissions', '/tickets/{ticketId}/comments', '/applications/{applicationId}/notes'])
    expect(operation('get', path)).not.toHaveProperty('x-record');
});

test('each list whose records have a path names the fields of their title', () => {
  const untitled = Object.entries(document.paths).flatMap(([path, { get }]) =>
    get?.['x-record']?.title.length === 0 ? [path] : [],
  );
  expect(untitled).toEqual(['/views/counts']);
});

test('each path of a record begins a path of the document', () => {
  const records = Object.values(document.paths).flatMap(({ get }) => get?.['x-record']?.path ?? []);
  for (const path of [...records, ...Object.values(document['x-references'])])
    expect(
      paths.some((one) => one === path || one.startsWith(`${path}/`)),
      path,
    ).toBe(true);
});

test('a field with the name of a resource refers to its records, and so does a field that is listed', () => {
  expect(document['x-references']).toMatchObject({
    teamId: '/teams/{id}',
    leadSourceId: '/lead-sources/{id}',
    applicationId: '/applications/{applicationId}',
    ticketId: '/tickets/{ticketId}',
    assignedTo: '/users/{email}',
  });
});

/** Fields that contain no id of a record, or one that has no path of its own. */
const otherIds = [
  ...['bulkId', 'categoryId', 'clientId', 'commentId', 'companyId', 'customerId', 'dbaTaxId', 'documentId'],
  ...['externalId', 'keyId', 'merchantAccountId', 'messageId', 'midId', 'noteId', 'partnerCategoryId'],
  ...[
    'partnerId',
    'partnerTicketId',
    'providerId',
    'rawId',
    'recordId',
    'requestId',
    'requesterId',
    'rpId',
    'testId',
  ],
  'uniqueId',
];

test('each other field whose name ends with Id refers to a record', () => {
  const names = new Set(JSON.stringify(document).match(/(?<=")[a-z]\w*Id(?=":\{)/g));
  const unlinked = [...names].filter((name) => !(name in document['x-references']));
  expect(unlinked.sort()).toEqual(otherIds);
});

test('each operation that signs an upload names its completion and the fields that describe the file', () => {
  const uploads = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, one]) => (one['x-upload'] ? [`${method} ${path}`] : [])),
  );
  expect(uploads.sort()).toEqual([
    'post /applications/{applicationId}/documents',
    'post /billing/bank-statements',
    'post /extapi/applications/{externalId}/documents',
    'post /merchants/{merchantId}/documents',
    'post /residual-files',
    'post /tickets/{ticketId}/documents',
  ]);
  const file = { size: 'size', sha256: 'sha256' };
  expect(operation('post', '/tickets/{ticketId}/documents')).toMatchObject({
    'x-upload': {
      request: 'upload',
      complete: '/tickets/{ticketId}/documents/{documentId}/complete',
      id: 'id',
      file: { ...file, name: 'name', contentType: 'contentType' },
    },
  });
  expect(operation('post', '/residual-files')).toMatchObject({
    'x-upload': { complete: '/residual-files/{id}/complete', file: { ...file, name: 'fileName' } },
  });
});

test('the deletion of a record, a void invoice and a new secret are destructive, and an unarchived lead is not', () => {
  for (const [method, path] of [
    ['delete', '/leads/{leadId}'],
    ['delete', '/billing/provider'],
    ['post', '/invoices/{invoiceId}/void'],
    ['post', '/webhooks/{id}/rotate-secret'],
  ] as const)
    expect(operation(method, path)).toMatchObject({ 'x-destructive': true });
  for (const [method, path] of [
    ['delete', '/leads/{leadId}/archive'],
    ['patch', '/leads/{leadId}'],
  ] as const)
    expect(operation(method, path)).not.toHaveProperty('x-destructive');
});
