import type { Static, TSchema } from '../schema.ts';
import { accountTypeResource } from './account-types.ts';
import { accountResource } from './accounts.ts';
import { apiKeyResource } from './api-keys.ts';
import { applicationResource, underwriting } from './applications.ts';
import {
  authentication,
  eventLogArea,
  notifications,
  provisioningArea,
  reassignments,
  search,
  service,
} from './areas.ts';
import { mailAddressResource, mailDomainResource, mailResource } from './correspondence.ts';
import type { ChangeEvents, Readers } from './declare.ts';
import { documentResource } from './documents.ts';
import { equipmentResource } from './equipment.ts';
import type { noData } from './event-data.ts';
import { externalApi, externalApiArea } from './external-api.ts';
import {
  bankAccountResource,
  billing,
  invoiceResource,
  paymentProviders,
  statementUploadArea,
  unmatchedPaymentResource,
} from './invoices.ts';
import { leadRotationResource } from './lead-rotations.ts';
import { leadSourceResource } from './lead-sources.ts';
import { leadResource } from './leads.ts';
import { lookupOptionResource } from './lookups.ts';
import { merchantResource } from './merchants.ts';
import { midResource } from './mids.ts';
import { noteResource } from './notes.ts';
import { partnerConnections, partnerIntegration } from './partner.ts';
import {
  payoutAccountResource,
  payoutResource,
  payoutSettingsArea,
  residualAdjustmentResource,
  residualAgreementResource,
  residualFileResource,
  residualFormatResource,
  residualRunResource,
  residualStatementResource,
} from './residuals.ts';
import { auditReveal } from './revealed-bodies.ts';
import { roleResource } from './roles.ts';
import { viewResource } from './saved-views.ts';
import { singleSignOn } from './single-sign-on.ts';
import { storage } from './storage.ts';
import { system } from './system.ts';
import { teamResource } from './teams.ts';
import { ticketRotationResource } from './ticket-rotations.ts';
import { ticketTypeMappingResource } from './ticket-type-mappings.ts';
import { ticketTypeResource } from './ticket-types.ts';
import { ticketResource } from './tickets.ts';
import { underwritingRuleResource } from './underwriting-rules.ts';
import { userResource } from './users.ts';
import { vanityDomainResource } from './vanity-domains.ts';
import { webhookResource } from './webhooks.ts';

/** All declarations, in the order in which GET /event-kinds and GET /permissions list their parts. */
export const declarations = [
  leadResource,
  applicationResource,
  userResource,
  accountResource,
  accountTypeResource,
  billing,
  auditReveal,
  system,
  apiKeyResource,
  leadRotationResource,
  teamResource,
  roleResource,
  documentResource,
  noteResource,
  leadSourceResource,
  webhookResource,
  merchantResource,
  underwriting,
  underwritingRuleResource,
  partnerIntegration,
  externalApi,
  vanityDomainResource,
  midResource,
  ticketTypeResource,
  ticketRotationResource,
  ticketResource,
  equipmentResource,
  lookupOptionResource,
  ticketTypeMappingResource,
  partnerConnections,
  singleSignOn,
  invoiceResource,
  unmatchedPaymentResource,
  bankAccountResource,
  paymentProviders,
  statementUploadArea,
  mailResource,
  mailDomainResource,
  mailAddressResource,
  residualFormatResource,
  residualFileResource,
  residualAgreementResource,
  residualAdjustmentResource,
  residualRunResource,
  residualStatementResource,
  payoutResource,
  payoutAccountResource,
  payoutSettingsArea,
  viewResource,
  externalApiArea,
  authentication,
  notifications,
  reassignments,
  provisioningArea,
  eventLogArea,
  search,
  service,
  storage,
] as const;

type Declared = (typeof declarations)[number];

// If the name, the readers, the events or the schema of an event is missing or wrong, these types assume the usual ones.
// Then the compiler reports only the declaration, and not all code that uses the resource.
type NameOf<D> = D extends { about: infer T extends string } | { name: infer T extends string }
  ? T
  : D extends { events: infer E }
    ? Extract<keyof E, `${string}_created`> extends `${infer N}_created`
      ? N
      : never
    : never;

/** The event kinds of a declaration, each with its schema and subject types. */
type EventsOf<D> = D extends { events: infer E }
  ? { [K in keyof E]: Kind<E[K], NameOf<D>> }
  : D extends { name: infer N extends string }
    ? EventsOf<{ name: N; events: ChangeEvents<N> }>
    : never;

interface Kind<E, T> {
  subject: E extends { about: infer A extends string } ? ([A] extends [never] ? T : A) : T;
  data: E extends { schema: infer S extends TSchema }
    ? unknown extends Static<S>
      ? Static<typeof noData>
      : Static<S>
    : never;
}

type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type Kinds = Merged<EventsOf<Declared>>;

/** An event kind. No other kind can be emitted or subscribed to. */
export type EventKind = keyof Kinds;

type Happenings = Merged<Declared extends infer D ? (D extends { happenings: infer H } ? H : never) : never>;

/** A change without an event kind of its own. Its event has the kind `no_event_name`. */
export type Happening = keyof Happenings;

/** The data of the events of each happening. */
export type HappeningData = {
  [H in Happening]: {
    resource: Happenings[H]['resource'];
    change: Happenings[H]['change'];
    recordId: number;
    happening: H;
    detail: Static<Happenings[H]['schema']>;
  };
};

/** The event kinds that the service emits. Only these kinds have a schema for `data`. */
export type EventData = { [K in EventKind]: Kinds[K]['data'] };

export type SubjectTypeOf<K extends EventKind> = Kinds[K]['subject'];

export type SubjectType = SubjectTypeOf<EventKind>;

/** The kinds with subject type `T` whose data is exactly `D`. */
export type KindAbout<T extends SubjectType, D> = {
  [K in EventKind]: T extends SubjectTypeOf<K>
    ? EventData[K] extends D
      ? D extends EventData[K]
        ? K
        : never
      : never
    : never;
}[EventKind];

/** The name of a resource whose records are in the search index. */
export type SearchedName = NameOf<Extract<Declared, { searched: true }>>;

/** The name of a resource whose list a view can save. */
export type ViewedName = (typeof viewResource)['readers']['of'][number];

/** The name of a resource. */
export type DeclaredName = NameOf<Extract<Declared, { name: string }>>;

type Plural<N extends string> = `${Pascal<N>}s`;
type Pascal<N extends string> = N extends `${infer W}_${infer R}`
  ? `${Capitalize<W>}${Pascal<R>}`
  : Capitalize<N>;

type OwnPermission<D> = D extends { readers: { own: infer P extends string } }
  ? P
  : D extends { readers: Exclude<Readers, 'own'> } | { about: string }
    ? never
    : D extends { name: string } | { readers: string }
      ? Plural<NameOf<D>>
      : never;
type MorePermissions<D> = D extends { permissions: infer O } ? Extract<keyof O, string> : never;

/** The name of a resource whose permissions can be limited to some of the records. */
export type ReachedType = NameOf<Extract<Declared, { reach: object }>>;

type LimitOf<D> = D extends { reach: { unassigned: true } } ? 'Team' | 'Own' | 'Unassigned' : 'Team' | 'Own';
type LimitedPermission<D> = D extends { reach: object }
  ? `${'read' | 'write'}${LimitOf<D>}${OwnPermission<D>}`
  : never;

/** The name of a permission. `GET /permissions` lists all permissions. */
export type Permission =
  | `${'read' | 'write'}${OwnPermission<Declared>}`
  | LimitedPermission<Declared>
  | MorePermissions<Declared>;
