import { type TSchema, unsafe } from '../../shared/schema.ts';

/** A schema, as far as it holds others; what else there is, is a rule. */
interface Rules {
  properties?: Record<string, Rules>;
  items?: Rules;
  additionalProperties?: Rules | boolean;
  default?: unknown;
}

/** What a schema says beside its rules. */
const annotations = ['description', 'examples', 'readOnly'];

/**
 * A schema that takes the same values and finds the same faults, in which rules that several fields have stand once, in
 * `$defs`: each becomes one function of a compiled validator, where it would be the same code for every field. A default
 * stays with its field, since it is the object around it that fills it in. Alternatives stay as they are: a default in
 * one of them must not come into effect.
 */
export function shareRules(schema: TSchema): TSchema {
  const bare = withoutAnnotations(schema as Rules);
  const uses = new Map<string, number>();
  const count = (rules: Rules): void => {
    const { default: _, ...shared } = rules;
    const text = JSON.stringify(shared);
    const before = uses.get(text) ?? 0;
    uses.set(text, before + 1);
    if (before === 0) for (const inner of innerOf(rules)) count(inner);
  };
  for (const inner of innerOf(bare)) count(inner);

  const names = new Map<string, string>();
  const $defs: Record<string, Rules> = {};
  const refer = ({ default: fallback, ...shared }: Rules): Rules => {
    const text = JSON.stringify(shared);
    const kept = fallback === undefined ? {} : { default: fallback };
    if ((uses.get(text) ?? 0) < 2) return { ...mapInner(shared, refer), ...kept };
    const name = names.get(text) ?? `${names.size}`;
    if (!names.has(text)) {
      names.set(text, name);
      $defs[name] = mapInner(shared, refer);
    }
    const reference = { $ref: `#/$defs/${name}` };
    return { ...reference, ...kept };
  };
  const shared = mapInner(bare, refer);
  return unsafe(names.size === 0 ? { ...shared } : { ...shared, $defs });
}

const withoutAnnotations = (schema: Rules): Rules => {
  const rules = Object.entries(schema).filter(([keyword]) => !annotations.includes(keyword));
  return mapInner(Object.fromEntries(rules) as Rules, withoutAnnotations);
};

const isSchema = (value: Rules['additionalProperties']): value is Rules => typeof value === 'object';

/** The schemas of an object's fields and of a list's items. */
const innerOf = ({ properties = {}, items, additionalProperties }: Rules): Rules[] => [
  ...Object.values(properties),
  ...(items ? [items] : []),
  ...(isSchema(additionalProperties) ? [additionalProperties] : []),
];

const mapInner = (
  { properties, items, additionalProperties, ...rules }: Rules,
  change: (inner: Rules) => Rules,
): Rules => ({
  ...rules,
  ...(properties && {
    properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, change(inner)])),
  }),
  ...(items && { items: change(items) }),
  ...(additionalProperties !== undefined && {
    additionalProperties: isSchema(additionalProperties)
      ? change(additionalProperties)
      : additionalProperties,
  }),
});
