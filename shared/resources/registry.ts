import type { Static, TSchema } from '../schema.ts';
import { accounts } from './accounts.ts';
import { apiKeys } from './api-keys.ts';
import { applications, underwriting } from './applications.ts';
import { authentication, eventLog, notifications, reassignments, service } from './areas.ts';
import { documents } from './documents.ts';
import { equipment } from './equipment.ts';
import { leadRotations } from './lead-rotations.ts';
import { leadSources } from './lead-sources.ts';
import { leads } from './leads.ts';
import { lookups } from './lookups.ts';
import { merchants } from './merchants.ts';
import { mids } from './mids.ts';
import { notes } from './notes.ts';
import { auditReveal, billing, externalApi, partnerIntegration, vanityDomains } from './reserved-events.ts';
import { roles } from './roles.ts';
import { storage } from './storage.ts';
import { system } from './system.ts';
import { teams } from './teams.ts';
import { ticketRotations } from './ticket-rotations.ts';
import { ticketTypeMappings } from './ticket-type-mappings.ts';
import { ticketTypes } from './ticket-types.ts';
import { tickets } from './tickets.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

/** All declarations, in the order in which GET /event-kinds and GET /permissions list their parts. */
export const declarations = [
  leads,
  applications,
  users,
  accounts,
  billing,
  auditReveal,
  system,
  apiKeys,
  leadRotations,
  teams,
  roles,
  documents,
  notes,
  leadSources,
  webhooks,
  merchants,
  underwriting,
  partnerIntegration,
  externalApi,
  vanityDomains,
  mids,
  ticketTypes,
  ticketRotations,
  tickets,
  equipment,
  lookups,
  ticketTypeMappings,
  authentication,
  notifications,
  reassignments,
  eventLog,
  service,
  storage,
] as const;

type Declared = (typeof declarations)[number];

/** The event kinds of a declaration, each with its schema and subject types. */
type EventsOf<D> = D extends { events: infer E; about: infer T extends string }
  ? { [K in keyof E]: Kind<E[K], T> }
  : D extends { events: infer E; name: infer N extends string }
    ? { [K in keyof E]: Kind<E[K], N> }
    : never;

interface Kind<E, T> {
  subject: E extends { about: infer A extends string } ? ([A] extends [never] ? T : A) : T;
  data: E extends { schema: infer S extends TSchema } ? Static<S> : never;
}

type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type Kinds = Merged<EventsOf<Declared>>;

/** An event kind. No other kind can be emitted or subscribed to. */
export type EventKind = keyof Kinds;

/** The event kinds that the service emits. Only these kinds have a schema for `data`. */
export type EmittedKind = { [K in EventKind]: [Kinds[K]['data']] extends [never] ? never : K }[EventKind];

export type EventData = { [K in EmittedKind]: Kinds[K]['data'] };

export type SubjectTypeOf<K extends EventKind> = Kinds[K]['subject'];

export type SubjectType = SubjectTypeOf<EventKind>;

/** The kinds with subject type `T` whose data is exactly `D`. */
export type KindAbout<T extends SubjectType, D> = {
  [K in EmittedKind]: T extends SubjectTypeOf<K>
    ? EventData[K] extends D
      ? D extends EventData[K]
        ? K
        : never
      : never
    : never;
}[EmittedKind];

type Plural<N extends string> = `${Pascal<N>}s`;
type Pascal<N extends string> = N extends `${infer W}_${infer R}`
  ? `${Capitalize<W>}${Pascal<R>}`
  : Capitalize<N>;

type OwnPermission<D> = D extends { readers: { own: infer P extends string } }
  ? P
  : D extends { readers: 'own'; name: infer N extends string }
    ? Plural<N>
    : never;
type MorePermissions<D> = D extends { permissions?: infer O } ? Extract<keyof O, string> : never;

/** The name of a permission. `GET /permissions` lists all permissions. */
export type Permission = `${'read' | 'write'}${OwnPermission<Declared>}` | MorePermissions<Declared>;
