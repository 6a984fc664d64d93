import { type TSchema, unsafe } from '../../shared/schema.ts';

/** The schema keywords that this module reads. */
interface Rules {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  minLength?: number;
  properties?: Record<string, Rules>;
  items?: Rules;
  additionalProperties?: Rules | boolean;
  oneOf?: Rules[];
  anyOf?: Rules[];
  'x-expiry'?: true;
  'x-text'?: string;
  textForm?: string;
  visibleText?: true;
  webAddress?: true;
}

/**
 * Adds the rules for texts to the schema of a request, so that a new field cannot lack them. Schemas of responses get no
 * such rules, because a response may contain texts that were stored before a rule existed.
 */
export const withTextRules = (schema: TSchema): TSchema => unsafe({ ...added(schema as Rules) });

function added({ properties, items, additionalProperties, oneOf, anyOf, ...rules }: Rules): Rules {
  return {
    ...textRules(rules),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, added(inner)])),
    }),
    ...(items && { items: added(items) }),
    ...(oneOf && { oneOf: oneOf.map(added) }),
    ...(anyOf && { anyOf: anyOf.map(added) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? added(additionalProperties) : additionalProperties,
    }),
  };
}

/** Adds the keywords `textForm`, `visibleText` and `webAddress`, which `addKeywords` defines. */
function textRules(rules: Rules): Rules {
  const { type, enum: values, format, minLength = 0, 'x-text': form = 'line' } = rules;
  if (![type].flat().includes('string') || values) return rules;
  // `readExpiry` validates the text, because a date depends on the account's time zone.
  if (rules['x-expiry']) return { ...rules, format: undefined };
  // The keyword replaces the format, so that a violation is reported once.
  if (format === 'uri') return { ...rules, format: undefined, webAddress: true };
  if (format !== undefined || form === 'verbatim') return rules;
  return { ...rules, textForm: form, ...((minLength > 0 || form === 'name') && { visibleText: true }) };
}
