import { channelNames } from '../shared/channels/terms.ts';
import { type Contract, replacedRecord, takesDryRun } from '../shared/endpoints/contract.ts';
import { LoggedEvent } from '../shared/events/schema.ts';
import {
  array,
  boolean,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
  type TProperties,
  type TSchema,
  unsafe,
} from '../shared/schema.ts';

/** Returns the query schema of a contract: declared parameters, and the parameters for appKeys and dry runs. */
export function querySchema(contract: Contract): TSchema | undefined {
  const added = addedParameters(contract);
  if (Object.keys(added).length === 0) return contract.query;
  const { query } = contract as { query?: { properties?: TProperties } };
  return query ? { ...query, properties: { ...query.properties, ...added } } : object(added);
}

const addedParameters = (contract: Contract): TProperties => ({
  ...(contract.applicant && applicantParameters),
  ...(takesDryRun(contract) && { dryRun: dryRunParameter }),
});

/** Returns the documented body schema. Includes read-only fields, because clients may send them back unchanged. */
export function bodySchema(contract: Contract): TSchema | undefined {
  const record = replacedRecord(contract);
  return contract.body && record ? withReadOnly(contract.body, record) : contract.body;
}

function withReadOnly(body: TSchema, record: TSchema): TSchema {
  const { properties: set } = body as { properties?: TProperties };
  const { properties: shown = {} } = record as { properties?: TProperties };
  if (!set) return body;
  const properties = Object.entries(shown).map(([name, schema]) => {
    const field = set[name];
    return [name, field ? withReadOnly(field, schema) : { ...schema, readOnly: true }] as const;
  });
  return { ...body, properties: { ...set, ...Object.fromEntries(properties) } };
}

const applicantParameters = {
  appKey: optional(string({ description: 'The key of the application. Replaces the token.' })),
  acctId: optional(string({ description: 'The account of the application. Required with an appKey.' })),
};

/** The query parameter `dryRun` of endpoints that change something. */
export const dryRunParameter = optional(
  boolean({
    description: 'If true, nothing is changed, and the response is a `DryRun` with the status 200.',
  }),
);

/** The response of a dry run: a preview of the real response and of the request's effects. */
export function dryRunSchema({ response }: Pick<Contract, 'response'>): TSchema {
  const { kind, subject, data } = LoggedEvent.properties;
  return object({
    dryRun: unsafe<true>({ type: 'boolean', const: true }),
    answer: response,
    changes: array(WrittenRecord, { description: 'The records that would be written.' }),
    events: array(object({ kind, subject, data }), {
      description:
        'The events that would be emitted. If the caller may read neither the subject nor the event log, an event contains only its kind and the type and id of its subject, and `data` is empty.',
    }),
    notifications: listOrCount(
      array(PreviewedNotification),
      'The notifications that would be sent: one for each event, user and reason. This is a number instead of a list if the caller lacks the permission `readUsers`, or if the list would have more than 1,000 entries. In this number, a notification counts once for each of its channels.',
    ),
    webhooks: listOrCount(
      array(PreviewedDelivery),
      'The webhooks that would receive a delivery, one entry for each event. This is the number of entries instead of a list if the caller lacks the permission `readWebhooks`, or if the list would have more than 1,000 entries.',
    ),
  });
}

const listOrCount = <S extends TSchema>(list: S, description: string) =>
  unsafe<Static<S> | number>({ anyOf: [list, { type: 'integer', examples: [2] }], description });

const PreviewedNotification = object({
  user: string({ examples: ['grace@example.com'] }),
  channels: array(oneOf(channelNames)),
  reason: oneOf(['own_rule', 'assignee', 'administrator', 'user_concerned']),
});

const PreviewedDelivery = object({
  id: recordId(),
  url: string({ examples: ['https://hooks.example.com/merchant-ops'] }),
});

const WrittenRecord = object({
  type: string({ examples: ['lead'] }),
  id: unsafe<number | string>({ type: ['integer', 'string'], examples: [214563398120449] }),
  action: oneOf(['created', 'updated', 'deleted']),
});
