import type { OpenAPIV3_1 } from 'openapi-types';
import { LoggedEvent } from '../../shared/events/schema.ts';
import { eventCatalogue, eventKinds, happenings } from '../../shared/resources/derived.ts';
import { exampleOf } from './example.ts';
import { pascalCase } from './naming.ts';
import type { JsonSchema } from './schemas.ts';

/** The JSON Schema keywords used in the schemas of event data. */
interface DataSchema {
  anyOf?: DataSchema[];
  properties?: Record<string, object>;
  required?: string[];
}

const { accountId, occurredAt, subject, actor } = LoggedEvent.properties;

/** The parts of the event envelope that all webhook bodies contain. */
export const webhookSchemas: Record<string, JsonSchema> = {
  EventSubject: plain(subject),
  EventActor: plain(actor),
};

const shared = {
  subject: { $ref: '#/components/schemas/EventSubject' },
  actor: { $ref: '#/components/schemas/EventActor' },
};

/** The webhook requests for all emitted event kinds. */
export const webhookOperations = (): Record<string, { post: OpenAPIV3_1.OperationObject }> =>
  Object.fromEntries(eventKinds.map((kind) => [kind, { post: deliveryOf(kind) }]));

function deliveryOf(kind: (typeof eventKinds)[number]): OpenAPIV3_1.OperationObject {
  const { subjects, description, schema: data } = eventCatalogue[kind];
  const schema: JsonSchema = {
    type: 'object',
    required: ['type', 'version', 'timestamp', 'accountId', 'data'],
    properties: {
      type: { const: kind },
      version: { const: 1, description: 'New fields can be added without a new version.' },
      timestamp: plain(occurredAt),
      accountId: plain(accountId),
      data: withEnvelope(withHappenings(plain(data))),
    },
  };
  const example = {
    type: kind,
    version: 1,
    timestamp: exampleOf(occurredAt, 'response'),
    accountId: exampleOf(accountId, 'response'),
    data: {
      subject: { type: subjects[0], id: 214563398120449, version: 1, label: 'Grace Hopper' },
      actor: exampleOf(actor, 'response'),
      ...Object(exampleOf(data, 'response')),
    },
  };
  return {
    operationId: `receive${pascalCase(kind)}`,
    tags: ['Events'],
    summary: description,
    security: [],
    requestBody: { content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': {
        description: 'Delivered. The service retries after all other responses, except 410.',
      },
      '410': { description: 'The service disables the webhook.' },
    },
  };
}

/** Adds the list of happenings to the schema of `no_event_name`. Receivers must expect other happenings, too. */
function withHappenings({ properties = {}, ...rules }: DataSchema): DataSchema {
  const { happening } = properties;
  if (!happening) return { properties, ...rules };
  return {
    ...rules,
    properties: { ...properties, happening: { ...happening, 'x-extensible-enum': happenings } },
  };
}

/** The `data` of a webhook request: the event kind's data, the subject and the actor. Fields may be added later. */
function withEnvelope({ anyOf, properties = {}, required = [] }: DataSchema): JsonSchema {
  if (anyOf) return { anyOf: anyOf.map(withEnvelope) };
  return {
    type: 'object',
    required: ['subject', 'actor', ...required],
    properties: { ...shared, ...properties },
  };
}

/** Returns a schema as plain JSON, without static types. */
function plain<S extends JsonSchema | DataSchema>(schema: object): S {
  return JSON.parse(JSON.stringify(schema));
}
