import type { Static, TSchema } from '../schema.ts';
import { changed, noData } from './event-data.ts';
import { changedNotice, changedText, did, type EventText } from './text.ts';

/** An event kind. */
export interface DeclaredEvent {
  /** The subject types of the events. Default: the resource. */
  about?: string | readonly string[];
  /** The schema of the events' `data`. */
  schema: TSchema;
  description: string;
  /** The text of the notification. */
  text: EventText;
  /** The page that the notification links to. Default: the record's page, or the list if the record was deleted. */
  link?: Link;
  unindexed?: Unindexed;
}

/**
 * True if the events change no field in the search index, so that the queue `search` does not receive them. A list selects
 * the events whose data contain all values of one of its entries.
 */
export type Unindexed = true | readonly Readonly<Record<string, string>>[];

/** The type of an event kind. `A` is the union of the subject types; never for the default. */
interface Emitted<S extends TSchema, A extends string = never> extends DeclaredEvent {
  schema: S;
  about: A;
}

/**
 * A change that has no event kind of its own, such as `invoice_opened`. Its event has the kind `no_event_name`, and contains
 * the name of the happening.
 */
interface DeclaredHappening {
  change: 'created' | 'updated' | 'deleted';
  /** The schema of the events' `detail`. It contains no secrets. */
  schema: TSchema;
  description: string;
  /** The text of the notification. Its placeholders are values of `detail`. */
  text: EventText;
  /** The field of `detail` that names the record in the notification. Default: the record's id. */
  label?: string;
  /** The page that the notification links to, as in `DeclaredEvent`. Required if the record is no resource. */
  link?: Link;
}

/** A page of the portal: `parent` is the page of the subject's parent, or of the subject if it has no parent. */
export type Link =
  | 'record'
  | 'list'
  | 'parent'
  | { path: string; opens: string }
  | { below: string; opens: string };

/** The records are read with a permission of this resource, by administrators, or by readers of other resources. */
export type Readers = 'own' | { own: string } | 'administrators' | { of: readonly [string, ...string[]] };

/**
 * The fields of a record that name those who reach it. The declaration adds the permissions `readTeam…`, `readOwn…` and,
 * with `unassigned`, `readUnassigned…`, and the same for `write`. Every record also has `participants` and `createdBy`.
 */
export interface DeclaredReach {
  /** The fields that contain the id of a user. The first one is the owner. */
  owners: readonly [string, ...string[]];
  /** The field that contains the id of a team. */
  team: string;
  /** True if records without an owner have a permission of their own. */
  unassigned?: true;
}

/**
 * How an account export treats an item type. It exports the items (as records of the kind `as`, without secret fields),
 * or omits them for a reason. The default of `as` is the type.
 */
export type StoredItem = { as?: string; without?: readonly string[] } | 'secret' | 'derived' | 'temporary';

/** The items are written after the event, or their changes add no event. Compared tables may differ in such items. */
export type Unlogged = 'later' | 'without an event';

/** The stored items of a resource or an area, other than its records. */
interface Storing {
  /** More item types. An export fails if it finds an undeclared type. */
  items?: Readonly<Record<string, StoredItem>>;
  /** Words in the keys of items whose changes are not in events. A restored table is compared only by their number. */
  unlogged?: Readonly<Record<string, Unlogged>>;
  /** The changes without an event kind: the result of `happeningsOf`. */
  happenings?: Readonly<Record<string, DeclaredHappening & { resource: string }>>;
}

export interface Declaration extends Storing {
  /** The name of one record in events, with `_` between words. The other names are derived from it. */
  name: string;
  /** The required permission. With `own`, the permissions `read…` and `write…` are created. */
  readers: Readers;
  /** More permissions, with their descriptions. */
  permissions?: Readonly<Record<string, string>>;
  /** The group of the event kinds. Default: the plural of the name. */
  group?: string;
  /** The event kinds. */
  events: Readonly<Record<string, DeclaredEvent>>;
  /** The first words of the event kinds. Default: the name. */
  prefixes?: readonly string[];
  /** The name in sentences. Default: the words of `name`. */
  words?: string;
  /** The pages of the portal. */
  portal: Link;
  /** Present if permissions can be limited to some of the records. Requires `readers: 'own'`. */
  reach?: DeclaredReach;
  /** True if the records have an audit log. */
  audited?: true;
  /** True if the search index contains the records. Their store has `indexedFields`. */
  searched?: true;
  /** The names of child records that are deleted with the record. */
  children?: readonly string[];
  /** True if an account export contains the records. `type` is their item type, and `as` their kind in the export. */
  exported: boolean | { type?: string; as?: string; without?: readonly string[] };
  /** The group of the endpoints in the API reference. Absent if they belong to the group of another resource. */
  reference?: ReferenceGroup;
}

export interface ReferenceGroup {
  /** Default: the plural of the resource's name. */
  name?: string;
  description: string;
  /** The first path segments of the endpoints. Default: the plural of the name. */
  segments?: readonly string[];
  /** The position in the reference. Numbers may have gaps. */
  place: number;
}

/** The first words of the event kinds of `D`. */
type PrefixOf<D> = D extends { prefixes: readonly (infer P extends string)[] }
  ? P
  : D extends { name: infer N extends string }
    ? N
    : string;

/**
 * The type of a declaration's parameter. `D` is inferred from the declaration as it is, so that one wrong part does not change
 * the types of the others. If a part is missing, wrong or unknown, the declaration is compared with `Parts`.
 */
type Checked<D, Parts, Valid = D> = D extends Parts
  ? [Exclude<keyof D, keyof Parts>] extends [never]
    ? Valid
    : Parts
  : Parts;

/** Reports event kinds whose names begin with other words. */
type Named<D> = {
  events: D extends { events: infer E }
    ? {
        [K in keyof E]: K extends `${PrefixOf<D>}_${string}`
          ? unknown
          : `The name of the event kind must begin with ${PrefixOf<D>}_.`;
      }
    : unknown;
};

/** Declares a resource. The compiler reports missing and wrong parts here. */
export const resource = <const D>(declaration: Checked<D, Declaration, D & Named<D>>) => declaration as D;

/** Declares event kinds that belong to no resource of their own. */
export const eventGroup = <const A extends string, const E extends Readonly<Record<string, DeclaredEvent>>>(
  group: string,
  about: A,
  events: E,
) => ({ group, about, events });

interface Area extends Storing {
  permissions?: Readonly<Record<string, string>>;
  reference?: ReferenceGroup & { name: string; segments: readonly string[] };
}

/** Declares endpoints and stored items that do not belong to records of their own. */
export const area = <const D>(declaration: Checked<D, Area>) => declaration as D;

export const event = <const S extends TSchema, const A extends string = never>(
  schema: S,
  description: string,
  text: EventText,
  more: { about?: readonly A[]; link?: Link; unindexed?: Unindexed } = {},
) => ({ schema, description, text, ...more }) as unknown as Emitted<S, NoInfer<A>>;

/** The event kinds `{name}_created`, `{name}_updated` and `{name}_deleted`. `one` begins a sentence: `A team`. */
export const changeEvents = <const N extends string>(name: N, one: string) =>
  ({
    [`${name}_created`]: event(changed, `${one} was created.`, did('created')),
    [`${name}_updated`]: event(changed, `${one} changed.`, changedNotice),
    [`${name}_deleted`]: event(noData, `${one} was deleted.`, did('deleted')),
  }) as ChangeEvents<N>;

export type ChangeEvents<N extends string> = {
  [K in `${N}_created` | `${N}_updated`]: Emitted<typeof changed>;
} & { [K in `${N}_deleted`]: Emitted<typeof noData> };

/** Declares the happenings of the records of a resource or an area. Each name begins with the name of the record. */
export const happeningsOf = <
  const R extends string,
  const H extends Readonly<Record<string, DeclaredHappening>>,
>(
  resource: R,
  happenings: H & {
    [K in keyof H]: K extends `${R}_${string}` ? unknown : `The name must begin with ${R}_.`;
  },
) =>
  Object.fromEntries(
    Object.entries<DeclaredHappening>(happenings).map(([name, one]) => [name, { resource, ...one }]),
  ) as { [K in keyof H]: H[K] & { resource: R } };

export const happening = <const C extends DeclaredHappening['change'], S extends TSchema>(
  change: C,
  schema: S,
  description: string,
  text: EventText,
  more: { label?: keyof Static<S> & string; link?: Link } = {},
) => ({ change, schema, description, text, ...more });

/** The happenings `{name}_created`, `{name}_updated` and `{name}_deleted`, like `changeEvents`. */
export const changeHappenings = <const N extends string, S extends TSchema>(
  name: N,
  schema: S,
  one: string,
  more: { label?: keyof Static<S> & string; link?: Link } = {},
) =>
  ({
    [`${name}_created`]: happening('created', schema, `${one} was created.`, did('created'), more),
    [`${name}_updated`]: happening('updated', schema, `${one} changed.`, changedText, more),
    [`${name}_deleted`]: happening('deleted', schema, `${one} was deleted.`, did('deleted'), more),
  }) as ChangeHappenings<N, S>;

type ChangeHappenings<N extends string, S extends TSchema> = {
  [C in 'created' | 'updated' | 'deleted' as `${N}_${C}`]: DeclaredHappening & { change: C; schema: S };
};
