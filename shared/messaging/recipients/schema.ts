import { channelNames } from '../../channels/terms.ts';
import { EventKindField, HappeningField } from '../../events/schema.ts';
import { eventCatalogue, eventKindGroups, happeningCatalogue, happenings } from '../../resources/derived.ts';
import { array, boolean, object, oneOf, openObject, optional, string } from '../../schema.ts';
import { permissionsOfKind } from '../../security/read-permission.ts';
import { type ServiceRule, serviceRulesOf } from './service-rules.ts';

const ServiceRuleEntry = object({
  to: oneOf(['assignee', 'administrator', 'user_concerned'], {
    description:
      'The assignee of the record, the administrators of the account, or the user that the event is about.',
  }),
  channels: array(oneOf(channelNames)),
  always: boolean({
    description:
      'false: the rule applies only to some events of the kind, such as a lead without an assignee.',
  }),
});

const HappeningEntry = object({
  happening: HappeningField,
  description: string({ examples: ['A draft was opened and got its number.'] }),
  resource: string({ description: 'The type of the changed record.', examples: ['invoice'] }),
  change: oneOf(['created', 'updated', 'deleted']),
  schema: openObject({ description: 'JSON Schema of `data.detail`. Fields can be added at any time.' }),
});

/** One kind in the response of GET /event-kinds. */
export const EventKindEntry = object({
  kind: EventKindField,
  group: string({ examples: ['Leads'] }),
  description: string({ examples: ['A lead was created.'] }),
  subjectType: array(string({ examples: ['lead'] }), {
    description: 'The types of records that events of this kind may be about.',
  }),
  permission: array(string({ examples: ['readLeads'] }), {
    description:
      'The permissions needed to read every event of the kind in full. `administrator`: only administrators may read them.',
  }),
  serviceRule: array(ServiceRuleEntry, {
    description: 'The default recipients. A user’s own preference takes precedence.',
  }),
  schema: openObject({ description: 'JSON Schema of `data`.' }),
  happenings: optional(
    array(HappeningEntry, {
      description:
        'Only for `no_event_name`: the values of `data.happening`. Happenings can be added at any time.',
    }),
  ),
});

const ruleOf = ({ to, channels, when }: ServiceRule) => ({
  to,
  channels: [...channels],
  always: when === undefined,
});

const knownHappenings = happenings.map((happening) => {
  const { schema, ...described } = happeningCatalogue[happening];
  return { happening, ...described, schema: { ...schema } };
});

/** The response of GET /event-kinds. The build inlines this value as a literal. */
export const knownKinds = Object.entries(eventKindGroups).flatMap(([group, kinds]) =>
  kinds.map((kind) => {
    const { subjects, description, schema } = eventCatalogue[kind];
    return {
      kind,
      group,
      description,
      subjectType: [...subjects],
      permission: [...permissionsOfKind(kind)],
      serviceRule: serviceRulesOf(kind).map(ruleOf),
      schema: { ...schema },
      ...(kind === 'no_event_name' && { happenings: knownHappenings }),
    };
  }),
);
