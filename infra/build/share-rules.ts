import { type TSchema, unsafe } from '../../shared/schema.ts';

/** The schema keywords that this module reads or changes. */
interface Rules {
  properties?: Record<string, Rules>;
  patternProperties?: Record<string, Rules>;
  items?: Rules;
  additionalProperties?: Rules | boolean;
  oneOf?: Rules[];
  default?: unknown;
  enum?: unknown[];
  required?: string[];
  $ref?: string;
}

/** Keywords that validate nothing. */
const annotations = ['description', 'examples', 'readOnly', 'x-redacts', 'x-volatile'];

/**
 * Returns an equivalent schema in which the common rules of several fields are moved to `$defs`. The
 * validator then has one function per definition instead of repeated code. Defaults stay with their fields,
 * because the validator of the object sets them. The alternatives of `anyOf` are not moved: Ajv
 * ignores defaults inside `anyOf`, but would set them inside a definition. The variants of a union (`oneOf`) and their
 * discriminators are not moved either, because Ajv's keyword `discriminator` reads them there.
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
    if ((uses.get(text) ?? 0) < 2) return { ...grouped(mapInner(shared, refer)), ...kept };
    const name = names.get(text) ?? `${names.size}`;
    if (!names.has(text)) {
      names.set(text, name);
      $defs[name] = grouped(mapInner(shared, refer));
    }
    return { $ref: `#/$defs/${name}`, ...kept };
  };
  const shared = grouped(mapInner(bare, refer));
  return unsafe(names.size === 0 ? { ...shared } : { ...shared, $defs });
}

/**
 * If the object allows no additional fields, replaces all fields that have the same rule with one entry in
 * `patternProperties`, which matches their names. The code of the validator then grows with the number of rules, not
 * with the number of fields.
 */
function grouped(rules: Rules): Rules {
  const { properties = {}, additionalProperties, required = [] } = rules;
  if (additionalProperties !== false) return rules;
  const groups = new Map<string, string[]>();
  for (const [name, { $ref, ...others }] of Object.entries(properties))
    if (
      $ref !== undefined &&
      /^\w+$/.test(name) &&
      !required.includes(name) &&
      Object.keys(others).length === 0
    )
      groups.set($ref, [...(groups.get($ref) ?? []), name]);
  const large = [...groups].filter(([, names]) => names.length >= 2);
  if (large.length === 0) return rules;
  const moved = new Set(large.flatMap(([, names]) => names));
  return {
    ...rules,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !moved.has(name))),
    patternProperties: Object.fromEntries(
      large.map(([$ref, names]) => [`^(?:${names.join('|')})$`, { $ref }]),
    ),
  };
}

const withoutAnnotations = (schema: Rules): Rules => {
  const rules = Object.entries(schema).filter(([keyword]) => !annotations.includes(keyword));
  return mapInner(Object.fromEntries(rules) as Rules, withoutAnnotations);
};

const isSchema = (value: Rules['additionalProperties']): value is Rules => typeof value === 'object';

/**
 * Returns the inner schemas that may be moved: the schemas of an object's fields, of its additional fields, and of an
 * array's items. Omits the variants of a union and the fields that allow only one value.
 */
const innerOf = ({ properties = {}, items, additionalProperties, oneOf = [] }: Rules): Rules[] => [
  ...Object.values(properties).filter((rules) => rules.enum?.length !== 1),
  ...(items ? [items] : []),
  ...(isSchema(additionalProperties) ? [additionalProperties] : []),
  ...oneOf.flatMap(innerOf),
];

const mapInner = (
  { properties, items, additionalProperties, oneOf, ...rules }: Rules,
  change: (inner: Rules) => Rules,
): Rules => ({
  ...rules,
  ...(properties && {
    properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, change(inner)])),
  }),
  ...(items && { items: change(items) }),
  ...(oneOf && { oneOf: oneOf.map(change) }),
  ...(additionalProperties !== undefined && {
    additionalProperties: isSchema(additionalProperties)
      ? change(additionalProperties)
      : additionalProperties,
  }),
});
