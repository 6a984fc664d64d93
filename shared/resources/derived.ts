import { oneOf, type TSchema } from '../schema.ts';
import type {
  Declaration,
  DeclaredEvent,
  DeclaredReach,
  Link,
  ReferenceGroup,
  StoredItem,
  Unindexed,
  Unlogged,
} from './declare.ts';
import { keyWord } from './key-word.ts';
import {
  declarations,
  type EventKind,
  type Happening,
  type Permission,
  type ReachedType,
  type SearchedName,
  type SubjectType,
} from './registry.ts';
import { viewResource } from './saved-views.ts';
import type { EventText } from './text.ts';

// The build inlines the values of this module as literals, so bundles do not contain the declarations. Therefore, this
// module exports only plain values.

/** A resource, an event group or an area, with all parts that one of them can have. */
interface AnyDeclaration extends Partial<Declaration> {
  group?: string;
  about?: string;
}

// `resource` and `area` have checked the declarations. The cast prevents that an error is reported here, too.
const all = declarations as readonly object[] as readonly AnyDeclaration[];
const resources = all.flatMap((one) => (one.name === undefined ? [] : [{ ...one, name: one.name }]));
type Resource = (typeof resources)[number];

const wordsOf = ({ words, name }: Resource): string => words ?? name.replaceAll('_', ' ');
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const pascal = (name: string): string => name.split('_').map(capitalized).join('');
const titleOf = (one: Resource): string => `${capitalized(wordsOf(one))}s`;
const pathOf = ({ name }: Resource): string => `/${name.replaceAll('_', '-')}s`;
const resourceNamed = (name: string): Resource => {
  const found = resources.find((one) => one.name === name);
  if (!found) throw new Error(`No resource is declared with the name ${name}.`);
  return found;
};

/** The item type of the records. */
const itemTypeOf = ({ name, exported }: Resource): string =>
  (typeof exported === 'object' && exported.type) || name;

const groupOf = (one: AnyDeclaration): string => one.group ?? titleOf(one as Resource);
const subjectsOf = (one: AnyDeclaration, { about }: DeclaredEvent): readonly string[] =>
  [about ?? one.about ?? one.name ?? ''].flat();
const declaredEvents = all.flatMap((declaration) =>
  Object.entries(declaration.events ?? {}).map(([kind, event]) => ({
    kind: kind as EventKind,
    event,
    declaration,
    subjects: subjectsOf(declaration, event),
  })),
);
const eachKind = <T>(of: (one: (typeof declaredEvents)[number]) => T): Readonly<Record<EventKind, T>> =>
  Object.fromEntries(declaredEvents.map((one) => [one.kind, of(one)])) as Record<EventKind, T>;

/** All event kinds, by group. */
export const eventKindGroups: Readonly<Record<string, readonly EventKind[]>> = Object.fromEntries(
  [...new Set(declaredEvents.map(({ declaration }) => groupOf(declaration)))].map((group) => [
    group,
    declaredEvents.filter(({ declaration }) => groupOf(declaration) === group).map(({ kind }) => kind),
  ]),
);

export const eventKinds: readonly EventKind[] = Object.values(eventKindGroups).flat();

/** The subject types of each kind. */
export const subjectTypes = eachKind(({ subjects }) => subjects as readonly SubjectType[]);

const declaredHappenings = all.flatMap(({ happenings = {} }) =>
  Object.entries(happenings).map(([name, one]) => ({ name: name as Happening, ...one })),
);
const eachHappening = <T>(
  of: (one: (typeof declaredHappenings)[number]) => T,
): Readonly<Record<Happening, T>> =>
  Object.fromEntries(declaredHappenings.map((one) => [one.name, of(one)])) as Record<Happening, T>;

/** The record type and the kind of change of each happening. */
export const happeningChanges = eachHappening(({ resource, change }) => ({ resource, change }));

export const happenings: readonly Happening[] = declaredHappenings.map(({ name }) => name);

interface HappeningEntry {
  resource: string;
  change: 'created' | 'updated' | 'deleted';
  description: string;
  /** The schema of the events' `detail`. */
  schema: TSchema;
}

export const happeningCatalogue: Readonly<Record<Happening, HappeningEntry>> = JSON.parse(
  JSON.stringify(
    eachHappening(({ resource, change, description, schema }) => ({ resource, change, description, schema })),
  ),
);

/** Returns the schema of a kind's data. That of `no_event_name` lists the types of the records with happenings. */
function dataSchemaOf(kind: EventKind, { schema }: DeclaredEvent): TSchema {
  if (kind !== 'no_event_name') return schema;
  const { properties, ...rules } = schema as TSchema & { properties: Record<string, TSchema> };
  const names = [...new Set(declaredHappenings.map((one) => one.resource))];
  const resource = oneOf(names, { examples: ['invoice'] });
  return { ...rules, properties: { ...properties, resource } } as TSchema;
}

interface CatalogueEntry {
  subjects: readonly SubjectType[];
  description: string;
  /** The schema of the events' `data`. */
  schema: TSchema;
}

/**
 * The subject types, data and description of all event kinds. The copy as JSON has none of TypeBox's own properties, which
 * are not plain values.
 */
export const eventCatalogue: Readonly<Record<EventKind, CatalogueEntry>> = JSON.parse(
  JSON.stringify(
    eachKind(({ kind, subjects, event }) => ({
      subjects,
      description: event.description,
      schema: dataSchemaOf(kind, event),
    })),
  ),
);

/** The names of the permissions `read…` and `write…` of a resource, without the verb. Undefined if it has none. */
const ownNoun = ({ name, readers }: Resource): string | undefined => {
  if (readers === 'own') return `${pascal(name)}s`;
  return typeof readers === 'object' && 'own' in readers ? readers.own : undefined;
};
const wordsIn = (noun: string): string => noun.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

const limits = {
  team: (records: string) => `${records} of the caller's team, and of the teams that the caller manages.`,
  own: (records: string) =>
    `${records} that the caller owns or takes part in. For an API key, those that it created.`,
  unassigned: (records: string) => `${records} without an owner.`,
};
type Limit = keyof typeof limits;

const limitsOf = ({ unassigned }: DeclaredReach): Limit[] =>
  unassigned ? ['team', 'own', 'unassigned'] : ['team', 'own'];
const limited = (verb: string, limit: Limit, noun: string) => `${verb}${capitalized(limit)}${noun}`;
const limitedCatalogue = (limit: Limit, noun: string) => [
  { name: limited('read', limit, noun), description: `List and read ${limits[limit](wordsIn(noun))}` },
  {
    name: limited('write', limit, noun),
    description: `Create ${wordsIn(noun)}. Change and delete ${limits[limit](wordsIn(noun))}`,
  },
];

/** All permissions with their descriptions: first those of records, then the others. */
export const permissionCatalogue: readonly { name: Permission; description: string }[] = [
  ...resources.flatMap((one) => {
    const noun = ownNoun(one);
    return noun === undefined
      ? []
      : [
          { name: `read${noun}`, description: `List and read ${wordsIn(noun)}.` },
          { name: `write${noun}`, description: `Create, change and delete ${wordsIn(noun)}.` },
          ...(one.reach ? limitsOf(one.reach).flatMap((limit) => limitedCatalogue(limit, noun)) : []),
        ];
  }),
  ...all.flatMap(({ permissions = {} }) =>
    Object.entries(permissions).map(([name, description]) => ({ name, description })),
  ),
].map(({ name, description }) => ({ name: name as Permission, description }));

/** The names of all permissions. */
export const allPermissions: readonly Permission[] = permissionCatalogue.map(({ name }) => name);

/** The read permission that corresponds to a permission which is neither `read…` nor `write…`. */
export const readPermissionOf: Readonly<Partial<Record<Permission, Permission>>> = Object.fromEntries(
  resources.flatMap((one) =>
    Object.keys(one.permissions ?? {})
      .filter((permission) => !permission.startsWith('read'))
      .map((permission) => [permission, `read${ownNoun(one)}`]),
  ),
);

/** A record type whose permissions can be limited to some of the records. */
interface ReachedRecords extends DeclaredReach {
  read: Permission;
  write: Permission;
}

export const reachedRecords = Object.fromEntries(
  resources.flatMap((one) => {
    const noun = ownNoun(one);
    return one.reach ? [[one.name, { ...one.reach, read: `read${noun}`, write: `write${noun}` }]] : [];
  }),
) as Readonly<Record<ReachedType, ReachedRecords>>;

/** For each permission that can be limited to some of the records: the limited permissions. */
export const limitedPermissions = Object.fromEntries(
  resources.flatMap((one) => {
    const noun = ownNoun(one);
    const { reach } = one;
    if (!reach || noun === undefined) return [];
    return ['read', 'write'].map((verb) => [
      `${verb}${noun}`,
      Object.fromEntries(limitsOf(reach).map((limit) => [limit, limited(verb, limit, noun)])),
    ]);
  }),
) as Readonly<Partial<Record<Permission, Readonly<Partial<Record<Limit, Permission>>>>>>;

/** A requirement to read a record: a permission, or `administrator` if only administrators may read the record. */
export type ReadPermission = Permission | 'administrator';

const readersOf = (one: Resource): readonly string[] => {
  if (one.readers === 'administrators') return ['administrator'];
  if (typeof one.readers === 'object' && 'of' in one.readers)
    return one.readers.of.flatMap((name) => readersOf(resourceNamed(name)));
  return [`read${ownNoun(one)}`];
};

/** The requirements to read the subjects of events, by subject type. */
export const subjectPermissions = Object.fromEntries(
  [...new Set(Object.values(subjectTypes).flat())].map((type) => [type, readersOf(resourceNamed(type))]),
) as Readonly<Record<SubjectType, readonly ReadPermission[]>>;

/** The name of each subject type in keys of records. */
export const subjectNouns = Object.fromEntries(
  Object.keys(subjectPermissions).map((type) => [type, keyWord(itemTypeOf(resourceNamed(type)))]),
) as Readonly<Record<SubjectType, Uppercase<string>>>;

/** The record types with an audit log: the name of each type in keys of the table, by subject type. */
export const auditedNouns: Readonly<Record<string, Uppercase<string>>> = Object.fromEntries(
  resources.filter(({ audited }) => audited).map(({ name }) => [name, keyWord(name)]),
);

/** The record types in the search index: the name of each type in keys of the table, by subject type. */
export const searchedNouns = Object.fromEntries(
  resources.filter(({ searched }) => searched).map((one) => [one.name, keyWord(itemTypeOf(one))]),
) as Readonly<Record<SearchedName, Uppercase<string>>>;

/** The event kinds whose events, or some of them, change no field in the search index. */
export const unindexedEvents: Readonly<Partial<Record<EventKind, Unindexed>>> = Object.fromEntries(
  declaredEvents.flatMap(({ kind, event }) => (event.unindexed ? [[kind, event.unindexed]] : [])),
);

/** The resources whose lists a view can save. */
export const viewedResources = viewResource.readers.of;

/** A record type whose records can have child records. */
export interface Parent {
  noun: Uppercase<string>;
  /** The kinds of children that are deleted with the record. */
  childKinds: readonly Uppercase<string>[];
}

/** The record types whose records can have child records, by the subject type of their events. */
export const parents: Readonly<Record<string, Parent>> = Object.fromEntries(
  resources.flatMap(({ name, children = [] }) =>
    children.length > 0 ? [[name, { noun: keyWord(name), childKinds: children.map(keyWord) }]] : [],
  ),
);

/** The name of a resource in sentences, and its pages in the portal. */
export interface PortalPages {
  words: string;
  path: string;
  portal: Link;
}

export const portalPages: Readonly<Record<string, PortalPages>> = Object.fromEntries(
  resources.map((one) => [
    one.name,
    { words: wordsOf(one), path: pathOf(one), portal: one.portal ?? 'list' },
  ]),
);

/** The texts of notifications, with the resource that they name. */
export const notificationTexts: Readonly<Record<EventKind, EventText & { about: string; link?: Link }>> =
  eachKind(({ event: { text, link }, declaration, subjects }) => ({
    ...text,
    about: declaration.name ?? subjects[0] ?? '',
    ...(link && { link }),
  }));

/** The text of a happening's notification, with the pages of its record. */
interface HappeningText extends EventText {
  pages: PortalPages;
  link?: Link;
  /** The field of `detail` that names the record. */
  label?: string;
}

export const happeningTexts: Readonly<Record<Happening, HappeningText>> = eachHappening(
  ({ resource, text, link, label }) => ({
    ...text,
    pages: portalPages[resource] ?? {
      words: resource.replaceAll('_', ' ').replace(/^sso\b/, 'single sign-on'),
      path: '/',
      portal: link ?? 'list',
    },
    ...(link && { link }),
    ...(label !== undefined && { label }),
  }),
);

/** The groups of endpoints in the API reference, in their order. */
export const referenceGroups: readonly Required<Omit<ReferenceGroup, 'place'>>[] = all
  .flatMap((one) => (one.reference ? [{ one: one as Resource, reference: one.reference }] : []))
  .sort((first, second) => first.reference.place - second.reference.place)
  .map(({ one, reference: { name, description, segments } }) => ({
    name: name ?? titleOf(one),
    description,
    segments: segments ?? [pathOf(one).slice(1)],
  }));

/** The item types in the table, and how an account export treats them. */
export const storedItems: Readonly<Record<string, StoredItem>> = Object.fromEntries([
  ...resources.flatMap((one) => {
    const { exported } = one;
    if (!exported) return [];
    const { type: _, ...rest } = exported === true ? {} : exported;
    return [[itemTypeOf(one), { as: one.name, ...rest }] as const];
  }),
  ...all.flatMap(({ items = {} }) => Object.entries(items)),
]);

/** Words in keys of items whose changes add no event, or that are written after the event. */
export const unloggedWords: Readonly<Record<string, Unlogged>> = Object.assign(
  {},
  ...all.map(({ unlogged }) => unlogged),
);
