import { eventCatalogue, eventKindGroups, happeningCatalogue, happenings } from '../../resources/derived.ts';
import { permissionsOfKind } from '../../security/read-permission.ts';
import { type ServiceRule, serviceRulesOf } from './service-rules.ts';

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
