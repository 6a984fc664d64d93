import { PartnerEvent, partnerEventFields } from '../../shared/partner/event-schema.ts';
import { type PartnerEventType, requiredFields } from '../../shared/partner/known-events.ts';
import { shownSections } from '../../shared/sales/applications/record/schema.ts';
import { exampleOf } from './example.ts';
import type { JsonSchema } from './schemas.ts';

const text = (description: string, example: string): JsonSchema => ({
  type: 'string',
  description,
  examples: [example],
});
const versions = { version: { const: 1 }, accountId: text('The account at our service.', 'acme') };

const signature = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
  description:
    'Standard Webhooks: the signature covers id, timestamp and body. Reject timestamps older than five minutes.',
}));
const idempotencyKey = {
  name: 'idempotency-key',
  in: 'header',
  required: true,
  schema: { type: 'string', maxLength: 255 },
  description: 'Equal for each retry of a request. Return the first response again.',
};

const json = (schema: JsonSchema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});
const problem: JsonSchema = {
  type: 'object',
  properties: { error: text('A code in lower case. Staff see it.', 'invalid_tax_id') },
};
const failures = {
  '4XX': json(problem, 'Refused: 400, 409, 410, 413 and 422 are final. Other statuses are retried.'),
  '5XX': json(problem, 'Retried for up to four days. A Retry-After header pauses all requests.'),
};

const documents: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'documentKey', 'name', 'contentType', 'size', 'sha256', 'url', 'expiresAt'],
    properties: {
      id: text('Our id of the document.', '214563398120450'),
      documentKey: text('The kind of document.', 'voided-check'),
      name: text('The file name.', 'voided-check.pdf'),
      contentType: text('The media type.', 'application/pdf'),
      size: { type: 'integer', description: 'In bytes.' },
      sha256: text('SHA-256 of the file, in hexadecimal. Compare it with the downloaded file.', '9f86d081…'),
      url: { type: 'string', format: 'uri', description: 'GET this URL within 15 minutes.' },
      expiresAt: { type: 'string', format: 'date-time' },
    },
  },
};

const application: JsonSchema = {
  type: 'object',
  required: ['version', 'id', 'accountId', 'submission', 'submittedAt', 'businessOwners', 'documents'],
  properties: {
    ...versions,
    id: text('Our id. The same application always has the same id at the partner.', 'app_65YB3N0G2M1'),
    submission: { type: 'integer', minimum: 1, description: 'How often the application was submitted.' },
    submittedAt: { type: 'string', format: 'date-time' },
    merchantId: { type: 'integer' },
    repcode: { type: 'string' },
    ...(plain(shownSections) as Record<string, JsonSchema>),
    sensitive: {
      type: 'string',
      description:
        'A JWE in compact form for the partner’s public key (RSA-OAEP-256 or ECDH-ES+A256KW, with A256GCM). The plaintext is a JSON object with the sensitive values by path, such as `basics.dbaTaxId`. The protected header contains `account` and `application`. Absent without a public key.',
    },
    documents,
  },
};

const statusFields: (keyof typeof partnerEventFields)[] = ['sequence', 'status', 'message', 'mids'];
const status: JsonSchema = {
  type: 'object',
  required: ['id', 'sequence', 'status'],
  properties: {
    id: text('The id at the partner.', 'pa_81723'),
    ...Object.fromEntries(statusFields.map((name) => [name, plain(partnerEventFields[name])])),
  },
};

const comment: JsonSchema = {
  type: 'object',
  required: ['version', 'accountId', 'id', 'body', 'author', 'createdAt'],
  properties: {
    ...versions,
    id: text('Our id of the comment.', '214563398120451'),
    body: { type: 'string', maxLength: 10_000 },
    author: text('The author at our service.', 'grace@example.com'),
    createdAt: { type: 'string', format: 'date-time' },
  },
};

const inPath = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', maxLength: 100 },
});

interface ContractOperation {
  operationId: string;
  summary: string;
  body?: JsonSchema;
  success: Record<string, object>;
  parameters?: object[];
}

const operation = ({ operationId, summary, body, success, parameters = [] }: ContractOperation) => ({
  operationId,
  summary,
  security: [],
  parameters: [...parameters, ...signature, ...(body ? [idempotencyKey] : [])],
  ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
  responses: { ...success, ...failures },
});

const descriptions: Record<PartnerEventType, string> = {
  'application.status':
    'The status of an application changed. A status whose sequence is not above the last one is ignored.',
  'application.note': 'Adds a note to an application.',
  'documents.received': 'Acknowledges the documents of an application.',
  'ticket.created': 'Creates a support ticket for the account’s staff.',
  'ticket.comment': 'Adds a comment to a ticket that the partner created.',
};

/** The fields of each type of event that are not required. */
const optionalFields: Record<PartnerEventType, readonly (keyof typeof partnerEventFields)[]> = {
  'application.status': ['message', 'mids'],
  'application.note': [],
  'documents.received': [],
  'ticket.created': ['categoryName', 'priority', 'applicationId'],
  'ticket.comment': ['author'],
};

function eventOperation(type: PartnerEventType) {
  const required = requiredFields[type];
  const fields = [...required, ...optionalFields[type]];
  const schema: JsonSchema = {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { const: type },
      timestamp: plain(PartnerEvent.properties.timestamp),
      data: {
        type: 'object',
        required: [...required],
        properties: Object.fromEntries(fields.map((name) => [name, plain(partnerEventFields[name])])),
      },
    },
  };
  const example = {
    type,
    timestamp: exampleOf(PartnerEvent.properties.timestamp, 'request'),
    data: Object.fromEntries(required.map((name) => [name, exampleOf(partnerEventFields[name], 'request')])),
  };
  return {
    post: {
      operationId: type.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase()),
      summary: descriptions[type],
      security: [],
      parameters: signature,
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: {
        '202': { description: 'Stored. The same webhook-id has no further effect for seven days.' },
        '4XX': { description: 'Rejected: the event or its signature is not valid. Do not retry.' },
        '5XX': { description: 'Send the event again, with the same webhook-id.' },
      },
    },
  };
}

/** Partner contract v1 as an OpenAPI 3.1 document: what a partner implements, and the events that it sends. */
export const partnerContract = () => ({
  openapi: '3.1.0',
  info: {
    title: 'Partner contract',
    version: '1.0.0',
    summary: 'The HTTP interface that a processor implements to board the merchants of an account.',
    description:
      'A processor, or an adapter in front of it, implements the paths below its base URL. It sends the events to `POST /integrations/partner/{accountId}/events` of our service. Both directions are signed with the same secret (Standard Webhooks). Ids of messages that begin with `mo_` are reserved for our requests. Fields may be added at any time: ignore unknown fields.',
    license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
  },
  servers: [
    {
      url: '{baseUrl}',
      variables: {
        baseUrl: { default: 'https://partner.invalid', description: 'The base URL of the connection.' },
      },
    },
  ],
  paths: {
    '/test': {
      post: operation({
        operationId: 'test',
        summary: 'Confirms that the signature is valid',
        body: { type: 'object', properties: versions },
        success: { '2XX': { description: 'The signature is valid.' } },
      }),
    },
    '/applications': {
      post: operation({
        operationId: 'createApplication',
        summary: 'Receives an approved application',
        body: application,
        success: {
          '2XX': json(
            {
              type: 'object',
              required: ['id'],
              properties: { id: text('1 to 100 visible ASCII characters.', 'pa_81723') },
            },
            'Accepted. A repeated application returns the same id.',
          ),
        },
      }),
    },
    '/applications/{partnerId}': {
      get: operation({
        operationId: 'readApplication',
        summary: 'Returns the status of an application',
        parameters: [inPath('partnerId')],
        success: { '200': json(status, 'The current status, with the sequence of its event.') },
      }),
    },
    '/tickets/{ticketId}/comments': {
      post: operation({
        operationId: 'createComment',
        summary: 'Receives a public comment by the account’s staff',
        parameters: [inPath('ticketId')],
        body: comment,
        success: { '2XX': { description: 'Accepted.' } },
      }),
    },
  },
  webhooks: Object.fromEntries(
    (Object.keys(requiredFields) as PartnerEventType[]).map((type) => [type, eventOperation(type)]),
  ),
});

/** Returns schemas as plain JSON, without static types. */
function plain(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema));
}
