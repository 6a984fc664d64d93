import {
  changedKeyword,
  changedValues,
  narrowAndWide,
  type Side,
  type Versions,
} from './compare-keywords.ts';
import {
  asList,
  componentName,
  propertiesOf,
  type ResolveReference,
  type Rules,
  type Schema,
  schemaVariants,
  type Variant,
} from './schema-variants.ts';

/** A change that may break a client. */
export interface Change {
  /** For example `response 201 body.id`, or `Lead.firstName in responses` for a field of a component. */
  place: string;
  text: string;
  /** True if the place is in a component, which several operations may use. */
  isShared: boolean;
}

/** Returns a change outside schemas. */
export const changeAt = (place: string, text: string): Change => ({ place, text, isShared: false });

/** The place of a schema. */
interface Place {
  side: Side;
  path: string;
  isShared: boolean;
}

/** Returns the changes of a schema that may break a client. `place` is the name of the schema's place. */
type CompareSchemas = (before: Schema, after: Schema, side: Side, place: string) => Change[];

/**
 * Returns a comparison of the schemas of two documents. `isSame` reports whether two values are equal, including the
 * components to which they refer.
 */
export function schemaComparison(
  resolveBefore: ResolveReference,
  resolveAfter: ResolveReference,
  isSame: (before: unknown, after: unknown) => boolean,
): CompareSchemas {
  /** The comparisons in progress. A recursive schema is compatible if all its other parts are compatible. */
  const running: [before: Schema, after: Schema][] = [];

  function compare(before: Schema, after: Schema, outer: Place): Change[] {
    if (isSame(before, after)) return [];
    if (running.some(([earlier, later]) => earlier === before && later === after)) return [];
    const component = referredName(before);
    // An inline schema that replaces a component is a change of the outer schema.
    const place =
      component !== undefined && referredName(after) !== undefined ? inComponent(outer, component) : outer;
    if (running.length === 100) return [changed(place, 'the schema is nested too deeply for a comparison')];
    running.push([before, after]);
    try {
      return compareVariants(
        schemaVariants(before, resolveBefore),
        schemaVariants(after, resolveAfter),
        place,
      );
    } finally {
      running.pop();
    }
  }

  /** Each narrow variant must be a part of a wide variant. */
  function compareVariants(before: Variant[], after: Variant[], place: Place): Change[] {
    if (after.length === 0 && before.length > 0) return [changed(place, 'no value is valid')];
    const [narrow, wide] = narrowAndWide(place.side, before, after);
    const what = place.side === 'request' ? 'no longer accepted' : 'new';
    const missing = narrow.filter((variant) => !wide.some(includesType(variant))).map(({ type }) => type);
    return [
      ...(missing.length === 0
        ? []
        : [changed(place, `the type ${[...new Set(missing)].join(', ')} is ${what}`)]),
      ...narrow.flatMap((variant, index) => {
        const candidates = wide.filter(includesType(variant));
        const counterpart = wide.find(isSameComponent(variant)) ?? wide[index];
        const changes = closest(variant, candidates, counterpart, place);
        const isOption = variant.component !== undefined && candidates.length > 1;
        return changes.length === 0 || !isOption || candidates.some(isSameComponent(variant))
          ? changes
          : [changed(place, `the option ${variant.component} is ${what}`)];
      }),
    ];
  }

  /** Returns the changes to the candidate with the fewest changes, or to the counterpart if it has no more. */
  function closest(
    variant: Variant,
    candidates: Variant[],
    counterpart: Variant | undefined,
    place: Place,
  ): Change[] {
    const attempts = candidates
      .toSorted((one, other) => Number(other === counterpart) - Number(one === counterpart))
      .map((candidate) => {
        const [before, after] = narrowAndWide(place.side, variant, candidate);
        return compareVariant({ before, after, side: place.side }, place);
      });
    return attempts.sort((one, other) => one.length - other.length)[0] ?? [];
  }

  function compareVariant(versions: Versions, outer: Place): Change[] {
    const { before, after } = versions;
    const isComponent = before.component !== undefined && after.component !== undefined;
    const place = isComponent ? inComponent(outer, before.component ?? '') : outer;
    const keywords = new Set([...Object.keys(before.rules), ...Object.keys(after.rules)]);
    const texts = [...keywords]
      .filter((keyword) => !isSame(before.rules[keyword], after.rules[keyword]))
      .map((keyword) => changedKeyword(keyword, versions));
    return [
      ...[changedValues(versions), ...texts].flatMap((text) =>
        text === undefined ? [] : changed(place, text),
      ),
      ...compareFields(before.rules, after.rules, place),
      ...compare(itemsOf(before.rules), itemsOf(after.rules), within(place, '[]')),
    ];
  }

  function compareFields(before: Rules, after: Rules, place: Place): Change[] {
    const names = new Set(
      [before, after].flatMap((rules) => [
        ...Object.keys(propertiesOf(rules)),
        ...asList<string>(rules.required),
      ]),
    );
    return [
      ...[...names].flatMap((name) => compareField(name, before, after, within(place, `.${name}`))),
      ...compareOtherFields(before.additionalProperties, after.additionalProperties, within(place, '.*')),
    ];
  }

  function compareField(name: string, before: Rules, after: Rules, place: Place): Change[] {
    const [earlier, later] = [before, after].map((rules) => propertiesOf(rules)[name]);
    const [was, is] = [before, after].map(({ required }) => asList(required).includes(name));
    const isRequest = place.side === 'request';
    if (earlier !== undefined && later === undefined) {
      // A request whose fields are no longer declared accepts all fields.
      const others = after.additionalProperties ?? (isRequest && after.properties === undefined);
      return isSchema(others) || (others === true && after.properties === undefined)
        ? compare(earlier, others, place)
        : [changed(place, 'the field is removed')];
    }
    const required = isRequest
      ? is && !was && 'the field is now required'
      : was && !is && 'the field may now be missing';
    return [
      ...(required ? [changed(place, required)] : []),
      ...(later === undefined ? [] : compareWithEarlier(earlier, later, before.additionalProperties, place)),
    ];
  }

  /** Compares a field with its earlier declaration, or with the earlier schema of fields without a declaration. */
  function compareWithEarlier(earlier: Schema | undefined, later: Schema, others: unknown, place: Place) {
    if (earlier !== undefined) return compare(earlier, later, place);
    // A response may have new fields.
    if (place.side === 'response' && !isSchema(others)) return [];
    return compare((others ?? true) as Schema, later, place);
  }

  /** Compares the fields without a declaration. In responses, clients use such fields only if their schema is declared. */
  function compareOtherFields(before: unknown, after: unknown, place: Place): Change[] {
    if (place.side === 'request')
      return compare((before ?? true) as Schema, (after ?? true) as Schema, place);
    if (!isSchema(before) && before !== true) return [];
    if (after === false) return [changed(place, 'other fields are removed')];
    return compare(before, (after ?? true) as Schema, place);
  }

  return (before, after, side, path) => compare(before, after, { side, path, isShared: false });
}

const isSchema = (value: unknown): value is Rules => typeof value === 'object' && value !== null;
const includesType =
  ({ type }: Variant) =>
  (other: Variant): boolean =>
    other.type === type || (other.type === 'number' && type === 'integer');
const isSameComponent =
  ({ component }: Variant) =>
  (other: Variant): boolean =>
    component !== undefined && other.component === component;

/** Returns the name of a component, if the schema is only a reference. */
const referredName = (schema: Schema): string | undefined =>
  typeof schema === 'object' && typeof schema.$ref === 'string' && Object.keys(schema).length === 1
    ? componentName(schema.$ref)
    : undefined;
const itemsOf = ({ items }: Rules): Schema => (items ?? true) as Schema;

const inComponent = ({ side }: Place, path: string): Place => ({ side, path, isShared: true });
const within = (place: Place, part: string): Place => ({ ...place, path: place.path + part });
const changed = ({ side, path, isShared }: Place, text: string): Change => ({
  place: isShared ? `${path} in ${side}s` : path,
  text,
  isShared,
});
