import type { StoredAccount } from '../accounts/schema.ts';
import { asUniqueId, type UniquePrefix } from '../id/unique-id.ts';
import { array, dateTime, type Static, string, type TSchema, uniqueId, unsafe } from '../schema.ts';
import type { IndexedFields } from '../search/indexed-fields.ts';
import type { SignedIn } from '../security/principal.ts';
import { isAnyOf } from './list-view.ts';

/** A filter of a list. `S` is the type of the stored record. */
export interface Filter<S> {
  schema: TSchema;
  conditionOf(value: unknown, now: Date): (record: S) => boolean;
  /**
   * Returns the values of the field that match, for the search index. Undefined if the index cannot apply the value.
   * Default: the value.
   */
  indexedValues?(value: unknown): readonly unknown[] | undefined;
  /** For a filter by a time: the field in `IndexedFields.times`. */
  timeField?: string;
  /** True if the source itself finds the few records that match. */
  isAppliedBySource?: true;
  /**
   * Replaces values such as `me`, and values that depend on the account. Returns undefined if such a value is sent, and the
   * caller or the account is not known yet.
   */
  forCaller?(value: unknown, principal: SignedIn | undefined, account: ListedAccount | undefined): unknown;
}

/** The settings of the account on which its lists depend. */
export type ListedAccount = Pick<StoredAccount, 'country' | 'indexedAdditions' | 'timezone'>;

/** Declares a filter by the schema of its parameter and a function that selects the matching records. */
export const filterBy = <S, V extends TSchema>(
  schema: V,
  matches: (record: S, value: Static<V>, now: Date) => boolean,
  indexedValues?: (value: Static<V>) => readonly unknown[] | undefined,
): Filter<S> => ({
  schema,
  ...(indexedValues && { indexedValues: (value) => indexedValues(value as Static<V>) }),
  // `value` was validated by the schema.
  conditionOf: (value, now) => (record) => matches(record, value as Static<V>, now),
});

/** Declares the filter that compares a field with the values of its parameter. */
export const filterByField = <S>(field: string, schema: TSchema | undefined): Filter<S> => ({
  schema: array(filterSchema(schema)),
  conditionOf: (values) => isAnyOf<S>(field as keyof S, values as unknown[]),
});

/** Declares a filter of a reference field. Its parameter accepts ids and uniqueIds of the referenced records. */
export const filterByReference = <F extends string>(
  prefix: UniquePrefix,
  field: F,
  schema = array(uniqueId(prefix)),
) =>
  filterBy(
    schema,
    (record: { readonly [K in F]?: string }, references) => {
      const named = record[field];
      return named !== undefined && references.some((reference) => asUniqueId(prefix, reference) === named);
    },
    (references) => references.flatMap((reference) => asUniqueId(prefix, reference) ?? []),
  );

/** Declares a filter that finds the records whose time is before the parameter's value. */
export const filterByTime = <S>(
  { times = {} }: IndexedFields<S>,
  timeField: string,
  description: string,
): Filter<S> => ({
  ...filterBy(dateTime({ description }), (record: S, before) => {
    const time = times[timeField]?.(record);
    return time !== undefined && time < before;
  }),
  timeField,
});

/** Returns the schema of a field's filter: the rules of the value (or of an array's element), without descriptions. */
function filterSchema(schema: TSchema | undefined): TSchema {
  const { type, items } = (schema ?? {}) as { type?: unknown; items?: TSchema };
  if (type === 'array') return filterSchema(items);
  const {
    readOnly,
    default: _,
    description,
    examples,
    ...rules
  } = (schema ?? string()) as Record<string, unknown>;
  return unsafe(rules);
}
