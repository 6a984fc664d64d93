import { isDeepStrictEqual } from 'node:util';
import type { Rules } from './schema-variants.ts';

/** The parts of an OpenAPI document that are compared. */
interface ComparedDocument {
  paths: object;
  components: unknown;
}

/** The components of two versions of a document. */
export interface DocumentVersions {
  /** Return a value, or the component to which the value refers. */
  earlier(value: Rules): Rules;
  later(value: Rules): Rules;
  /** Reports whether two values are equal, including the components to which they refer. */
  isSame(before: unknown, after: unknown): boolean;
}

export function documentVersions(before: ComparedDocument, after: ComparedDocument): DocumentVersions {
  const [earlier, later] = [componentsOf(before), componentsOf(after)];
  const same = unchangedComponents(earlier, later);
  return {
    earlier: (value) => referred(value, earlier),
    later: (value) => referred(value, later),
    isSame: (one, other) =>
      isDeepStrictEqual(one, other) && referencesIn(one).every((name) => same.has(name)),
  };
}

/** The components of a document by reference, for example `#/components/schemas/Lead`. */
type Components = ReadonlyMap<string, Rules>;

const componentsOf = ({ components }: ComparedDocument): Components =>
  new Map(
    Object.entries(components as Record<string, Record<string, Rules> | undefined>).flatMap(
      ([kind, named = {}]) =>
        Object.entries(named).map(([name, value]) => [`#/components/${kind}/${name}`, value] as const),
    ),
  );

function referred(value: Rules, components: Components): Rules {
  if (typeof value.$ref !== 'string') return value;
  const component = components.get(value.$ref);
  if (component === undefined) throw new Error(`The document has no component ${value.$ref}.`);
  return Object.keys(component).length === 1 ? referred(component, components) : component;
}

/** Returns the references of components that have not changed and refer only to components that have not changed. */
function unchangedComponents(before: Components, after: Components): ReadonlySet<string> {
  const same = new Set(
    [...before].filter(([name, value]) => isDeepStrictEqual(value, after.get(name))).map(([name]) => name),
  );
  let size: number;
  do {
    size = same.size;
    for (const name of same)
      if (!referencesIn(before.get(name)).every((other) => same.has(other))) same.delete(name);
  } while (same.size < size);
  return same;
}

const knownReferences = new WeakMap<object, readonly string[]>();

/** Returns all values of `$ref` in a value. Stores them, because a comparison reads the same values often. */
function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const known = knownReferences.get(value);
  if (known) return known;
  const found = Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
  const references = [...new Set(found)];
  knownReferences.set(value, references);
  return references;
}
