import { type Contract, replacedRecord, takesDryRun } from '../shared/endpoints/contract.ts';
import { LoggedEvent } from '../shared/events/schema.ts';
import { channels } from '../shared/people/users/channels.ts';
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

/** The query of a contract as it is sent: its own parameters, and those that its other terms add. */
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

/**
 * The body of a contract as it is documented: with the read-only fields of the record, which a client may send back as GET
 * returned them.
 */
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
  appKey: optional(string({ description: 'The key of the application, in place of a token.' })),
  acctId: optional(string({ description: 'With an appKey: the account that the application belongs to.' })),
};

const dryRunParameter = optional(
  boolean({ description: 'true: changes nothing, and responds with what would happen.' }),
);

/** What a dry run responds with: the response there would be, and what would have happened. */
export function dryRunSchema({ response }: Pick<Contract, 'response'>): TSchema {
  const { kind, subject, data } = LoggedEvent.properties;
  return object({
    dryRun: unsafe<true>({ type: 'boolean', const: true }),
    answer: response,
    changes: array(WrittenRecord, { description: 'The records that would be written.' }),
    events: array(object({ kind, subject, data }), { description: 'The events that would be emitted.' }),
    notifications: listOrCount(
      array(PreviewedNotification),
      'Who would hear of which event, one after another: one for each event, user and reason. Without `readUsers`, and past 1,000, how many, each channel by itself.',
    ),
    webhooks: listOrCount(
      array(PreviewedDelivery),
      'The webhooks that would get a delivery, one for each event. Without `readWebhooks`, and past 1,000, how many.',
    ),
  });
}

const listOrCount = <S extends TSchema>(list: S, description: string) =>
  unsafe<Static<S> | number>({ anyOf: [list, { type: 'integer', examples: [2] }], description });

const PreviewedNotification = object({
  user: string({ examples: ['grace@example.com'] }),
  channels: array(oneOf(channels)),
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
