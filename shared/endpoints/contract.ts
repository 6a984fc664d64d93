import type { ErrorCode } from '../errors.ts';
import type { EventDraft } from '../events/envelope.ts';
import { reachedRecords } from '../resources/derived.ts';
import type { EventKind, Happening, Permission, ReachedType } from '../resources/registry.ts';
import type { TSchema } from '../schema.ts';
import { permissionToRead } from '../security/permissions.ts';
import type { Principal } from '../security/principal.ts';
import type { Purpose } from '../security/proofs.ts';
import { holdsPartOf, reachesEvery, type Use, useByOthers } from '../security/reach.ts';

/**
 * The callers that an endpoint accepts.
 * - `account`: a principal of the account in x-account-id. For an API key, the header defaults to the key's account.
 * - `home`: like `account`. In addition, for a user, the header defaults to the user's primary account.
 * - `session`: any principal, without an account
 * - `public`: everyone
 */
export type Access = Admission['access'] & string;

/** Fields that an object must not have. */
export type Without<Names extends string> = { [Name in Names]?: undefined };

type ApplicantTerms = 'applicant' | 'applicantMayNotSend';

/**
 * Fields that are allowed only with access `account` or `home`, because permissions and data keys belong to an
 * account.
 */
type AccountTerms =
  | 'sensitive'
  | 'permission'
  | 'anyPermission'
  | 'administratorOnly'
  | 'orSelf'
  | 'servesClosed'
  | 'repairsSignOn'
  | 'reach'
  | ApplicantTerms;

/** A request with a signed body, before its sender is known. `account` is the name in the path. */
export interface UnverifiedRequest {
  account: string;
  headers: Record<string, string | undefined>;
  rawBody: () => Buffer;
  now: Date;
  deadline: number;
}

interface ToEverybody extends Without<AccountTerms | 'sessionOnly' | 'ofNamedAccount'> {
  access: 'public';
  /**
   * Authenticates a sender that signs the body, such as the account’s partner. Throws `not_authenticated`. `decide` calls
   * it, and the pipeline before it returns an error about the input. Requests have the function `rawBody`, and the function
   * may decrypt the secret of the sender.
   */
  signedBody?: (sent: UnverifiedRequest) => Promise<unknown>;
}

interface ToEveryPrincipal extends Without<AccountTerms | 'signedBody'> {
  access: 'session';
  /** Accepts only session tokens. A request with an API key is rejected with 401. */
  sessionOnly?: true;
  /**
   * The response is about the account in x-account-id, which must be one of the caller's active accounts. The header
   * defaults as with access `home`.
   */
  ofNamedAccount?: true;
}

interface OfAnAccount extends Without<'sessionOnly' | 'ofNamedAccount' | 'signedBody'> {
  /** Default `account`. */
  access?: 'account' | 'home';
  /**
   * If true, the endpoint encrypts, decrypts or compares sensitive values. Its requests have the function
   * `dataKeys`.
   */
  sensitive?: true;
  /**
   * Users do not need the permission for their own data. The value is the part of the request with the user's email:
   * - `path`: the parameter `{email}` of the path
   * - `query`: the parameter `user` of the query, which defaults to the caller
   */
  orSelf?: 'path' | 'query';
  /**
   * The types of the records that the endpoint reads or changes with `requireReach`, or lists. Callers whose permission is
   * limited to some of these records may call the endpoint. Without this term, they need the unlimited permission.
   */
  reach?: ReachedType | readonly ReachedType[];
  /** The endpoint also accepts requests for a closed account. All other endpoints reject them with `account_closed`. */
  servesClosed?: true;
  /** The endpoint repairs a single sign-on connection. So it has exceptions from the rule that enforces single sign-on. */
  repairsSignOn?: true;
}

export interface ByPermission
  extends OfAnAccount,
    Without<ApplicantTerms | 'anyPermission' | 'administratorOnly'> {
  /** The caller needs all of these permissions. */
  permission: Permission | readonly [Permission, ...Permission[]];
}

interface ByAnyPermission extends OfAnAccount, Without<ApplicantTerms | 'permission' | 'administratorOnly'> {
  /** The caller needs at least one of these permissions. The response contains only what they allow to read. */
  anyPermission: readonly [Permission, ...Permission[]];
}

export interface ByPermissionOrAppKey extends Omit<ByPermission, ApplicantTerms | 'access'> {
  access?: 'account';
  /**
   * If true, the endpoint also accepts the appKey of the application `{applicationId}`: the query must contain `appKey`
   * and `acctId`.
   */
  applicant: boolean;
  /** Fields of the query or body that applicants may not send. */
  applicantMayNotSend?: readonly string[];
}

export interface ByAdministrators
  extends OfAnAccount,
    Without<ApplicantTerms | 'permission' | 'anyPermission'> {
  /**
   * Accepts only administrators of the account. API keys are never administrators. The value may be the permission that a
   * child account needs for its administrators to call the endpoint. An administrator has all permissions of the account.
   */
  administratorOnly: true | Permission;
}

/**
 * The accepted callers. With access `account` or `home`, a contract without permission rules does not
 * compile.
 */
export type Admission =
  | ToEverybody
  | ToEveryPrincipal
  | ByPermission
  | ByAnyPermission
  | ByPermissionOrAppKey
  | ByAdministrators;

/**
 * The contract of an endpoint. Validators, types, route, IAM rights, local router, OpenAPI document and generated
 * tests are derived from it.
 */
export type Contract = ContractTerms & Admission & Emission;

/** The events that a GET may emit. They record that sensitive data or a file was shown. */
type ShownKind = EventKind &
  Extract<EventKind, 'application_sensitive_data_revealed' | 'file_requested' | 'no_event_name'>;

interface ReadsOnly {
  method: 'GET';
  emits?: readonly ShownKind[];
  writes?: never;
}

interface MayChange {
  method: Exclude<ContractTerms['method'], 'GET'>;
}

/** A GET changes no records, so it can emit only events that record a disclosure. */
export type Emission = ReadsOnly | MayChange;

/**
 * How an endpoint uses the bucket of files.
 * - `upload`: signs URLs for uploads into `incoming/`
 * - `take`: reads an upload and copies it into `documents/`
 * - `check`: reads the properties of an upload
 * - `download`: signs URLs for downloads from `documents/`
 * - `export`: signs URLs for downloads from `exports/`
 * - `mail`: signs URLs for downloads from `mail/`
 */
export type FileUse = 'upload' | 'take' | 'check' | 'download' | 'export' | 'mail';

/**
 * The IAM rights that a contract states, because they concern items outside the records of the account.
 * - `account:write`: change the account's own record, to which a vanity domain is copied, too
 * - `account:create`: add an account to the list of all accounts and its administrator to the users, and count the
 *   invitation mails to an address
 * - `domains:hold`: read and change the holders of vanity domains and of mail domains, which belong to no account
 * - `emails:find`: read the user of an email address, for an endpoint that accepts an email in place of an id
 * - `sign-ins:keep`: read and change emails, holders of passkeys, password tokens and failed logins, which belong to no account
 * - `passkeys:hold`: read and change only the holders of passkeys
 * - `connections:read`: read single sign-on connections, in an endpoint without a caller
 * - `client-secret:use`: decrypt the secret of a single sign-on connection
 * - `secret:read`: read the signing secret, to sign a token. Every endpoint that authenticates its callers has this right.
 */
export type StatedRight =
  | 'account:write'
  | 'account:create'
  | 'domains:hold'
  | 'emails:find'
  | 'sign-ins:keep'
  | 'connections:read'
  | 'passkeys:hold'
  | 'client-secret:use'
  | 'secret:read';

/** The requests of an endpoint that need a fresh proof of the caller's identity. */
export interface NeededFor {
  purpose: Purpose;
  /**
   * The proof is needed if this boolean of the query is true. If it is absent, callers without a proof get the same response
   * as with false.
   */
  ifQuery?: string;
  /** The proof is needed if the body has one of these fields, such as `banking.accountNumber`, with a value other than REDACTED. */
  ifBody?: readonly string[];
}

/** All fields of a contract, except the accepted callers. */
export interface ContractTerms {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
  /** In API Gateway's notation: `/leads/{leadId}`. `$default` matches paths without a route. */
  path: string;
  summary: string;
  description?: string;
  params?: TSchema;
  query?: TSchema;
  body?: TSchema;
  /** If true, the body may also be a form (`application/x-www-form-urlencoded`), as other protocols require. */
  acceptsForm?: true;
  /** If true, an absent body is treated as an empty object. */
  bodyOptional?: boolean;
  response: TSchema;
  /**
   * For a PUT or PATCH: the schema of the record as GET returns it. The build derives the read-only fields of the body
   * from this schema (see `read-only-fields.ts`). Default: the response schema, if the path ends with a record's id.
   */
  record?: TSchema;
  /**
   * `ok`: 200, `created`: 201, `accepted`: 202, `empty`: 204 without a body, `redirect`: 302 with the header `location`.
   * Default `ok`.
   */
  success?: 'ok' | 'created' | 'accepted' | 'empty' | 'redirect';
  /** Errors in addition to the errors of all endpoints with the same access. */
  errors?: readonly ErrorCode[];
  /**
   * The event kinds that the endpoint can emit. If the method is GET, or if both `emits` and `writes` are
   * missing, the function has no right to change records.
   */
  emits?: readonly EventKind[];
  /** The happenings that the endpoint can emit. `endpoint` adds their event kind `no_event_name` to `emits`. */
  happenings?: readonly Happening[];
  /** If true, the endpoint can change records without emitting an event. */
  writes?: boolean;
  /** The endpoint decrypts the secrets of second factors (`read`), or also creates them (`make`). */
  factorSecrets?: 'read' | 'make';
  /**
   * The endpoint needs a fresh proof of the caller's identity, for all requests (a purpose) or for some of them. API keys
   * need the permission `revealSensitive` for the purpose `reveal`, and no proof. Applicants need none: their appKey is valid
   * for one application only.
   */
  proof?: Purpose | readonly NeededFor[];
  /** The rights of the function that do not follow from the other terms. */
  rights?: readonly StatedRight[];
  /**
   * Replaces the rule of `impersonationRuleOf`: whether a session in which an administrator acts as a user may call the
   * endpoint.
   */
  impersonated?: 'always' | 'never';
  /** The paths of response fields that are shown only once, such as `system.appKey`. A replay contains REDACTED. */
  oneTime?: readonly string[];
  /**
   * Whether clients should ask for a confirmation, because no other request undoes the change. Default: true for a DELETE
   * of a record.
   */
  destructive?: boolean;
  /** How the endpoint uses the bucket. Files are never sent through the API. */
  files?: FileUse;
  /** The reason why the endpoint does not accept `dryRun`, as a sentence for the API reference. */
  noDryRun?: string;
  /** Set for an endpoint that changes many records. `decide` commits independent parts with `request.commit`. */
  commitsParts?: true;
  /** The endpoint runs the lists of leads, applications, merchants and tickets. Its requests have `lists`. */
  runsLists?: true;
  /**
   * If true, `read` starts after authentication, so that an invalid session does not cause many reads. Exception:
   * if this instance verified the session in the last minute, `read` runs in parallel with authentication.
   */
  readsMany?: true;
  /** Returns as how many calls the rate limit counts a request. Default 1. */
  weigh?(query: unknown, dryRun?: boolean): number;
  /**
   * The values of each enum field of a list, in sort order. The build adds them, because bundles contain no
   * schemas.
   */
  ranks?: Record<string, readonly string[]>;
  /** The media type of a response that is not JSON, such as a document that the build made. See `builtDocument`. */
  mediaType?: string;
  /**
   * The endpoint speaks SCIM 2.0: responses and errors have its format, the body is read by the endpoint, and an API key is also
   * accepted as a bearer token.
   */
  scim?: true;
  /** The part of the API description that the handler needs. */
  apiArtifact?: 'openapi' | 'reference' | 'partnerContract' | 'routes';
}

/**
 * Throws if the kind or the happening of an event is missing in the contract, from which the API reference lists the
 * events.
 */
export function requireListed(
  { method, path, emits = [], happenings = [] }: Pick<Contract, 'method' | 'path' | 'emits' | 'happenings'>,
  events: readonly EventDraft[],
): void {
  for (const { kind, data } of events) {
    const unlisted: string[] = emits.includes(kind) ? [] : [kind];
    if (kind === 'no_event_name' && !happenings.includes(data.happening)) unlisted.push(data.happening);
    if (unlisted.length > 0)
      throw new Error(`${method} ${path} emits ${unlisted.join(' ')}, which its contract does not list.`);
  }
}

/** Reports whether the response is a document that the build made. Other responses that are not JSON are not public. */
export const isBuiltDocument = ({ mediaType, access }: Pick<Contract, 'mediaType' | 'access'>): boolean =>
  mediaType !== undefined && access === 'public';

/** The schema of the record that a PUT or PATCH changes; undefined for other endpoints. */
export const replacedRecord = ({
  method,
  path,
  record,
  response,
  scim,
}: Pick<Contract, 'method' | 'path' | 'record' | 'response' | 'scim'>): TSchema | undefined =>
  record ?? (!scim && (method === 'PUT' || method === 'PATCH') && path.endsWith('}') ? response : undefined);

/**
 * Reports whether the endpoint rejects paths without a route. It requires no credentials, but valid credentials identify
 * the caller in the events `not_found` and `method_not_allowed`.
 */
export const rejectsUnknownPaths = ({ path }: Pick<Contract, 'path'>): boolean => path === '$default';

export const emitsEvents = ({ emits = [] }: Pick<Contract, 'emits'>): boolean => emits.length > 0;

/** Reports whether an endpoint changes records, and therefore needs the right to write. */
export const changes = (contract: Pick<Contract, 'method' | 'writes' | 'emits'>): boolean =>
  contract.method !== 'GET' && (contract.writes === true || emitsEvents(contract));

/** Reports whether bodies of the endpoint are captured: it changes records of an account. */
export const capturesBodies = (contract: Pick<Contract, 'method' | 'writes' | 'emits' | 'access'>): boolean =>
  changes(contract) && contract.access !== 'public' && contract.access !== 'session';

/** Reports whether an endpoint accepts `dryRun`: it changes records, and `noDryRun` is not set. */
export const takesDryRun = (contract: Pick<Contract, 'method' | 'writes' | 'emits' | 'noDryRun'>): boolean =>
  changes(contract) && contract.noDryRun === undefined;

/** All permissions that a caller needs. */
export const permissionsOf = ({ permission }: Pick<Contract, 'permission'>): readonly Permission[] =>
  permission === undefined ? [] : [permission].flat();

/** Returns the requests of an endpoint that need a fresh proof of the caller's identity. */
export const proofsOf = ({ proof = [] }: Pick<Contract, 'proof'>): readonly NeededFor[] =>
  typeof proof === 'string' ? [{ purpose: proof }] : proof;

/** Reports whether a caller has a permission that the endpoint needs, at least for some of the records that it reaches. */
export function grants({ reach }: Pick<Contract, 'reach'>, principal: Principal, name: Permission): boolean {
  const isReached = [reach ?? []].flat().some((type) => {
    const { read, write } = reachedRecords[type];
    return name === read || name === write;
  });
  return isReached ? holdsPartOf(principal, name) : principal.permissions.has(name);
}

/**
 * Returns how the endpoint uses the records of a type for a caller. If it needs another permission, such as
 * `writeUnderwriting`, it reaches the records that the caller may read, or else those that the caller may change. Without any
 * permission for the type, the other permission covers all records, and the result is undefined.
 */
export function useOf(
  contract: Pick<Contract, 'permission'>,
  principal: Principal,
  type: ReachedType,
): Use | undefined {
  const { read, write } = reachedRecords[type];
  const needed = permissionsOf(contract);
  if (needed.includes(write)) return 'write';
  return needed.includes(read) ? 'read' : useByOthers(principal, type);
}

/** Reports whether a caller reaches all records of the types in the contract. */
export const reachesAll = (contract: Pick<Contract, 'permission' | 'reach'>, principal: Principal): boolean =>
  [contract.reach ?? []].flat().every((type) => {
    const use = useOf(contract, principal, type);
    return use === undefined || reachesEvery(principal, type, use);
  });

/** Reports whether responses of the endpoint can contain leads. */
export const showsLeads = ({ reach }: Pick<Contract, 'reach'>): boolean =>
  [reach ?? []].flat().includes('lead');

/** The permission that a child account needs for its administrators to call an endpoint. */
export const accountPermissionOf = ({
  administratorOnly,
}: Pick<Contract, 'administratorOnly'>): Permission | undefined =>
  administratorOnly === true ? undefined : administratorOnly;

/** Reports whether a caller may read the records that the endpoint changes. */
export const mayReadChanged = (contract: Pick<Contract, 'permission'>, { permissions }: Principal): boolean =>
  permissionsOf(contract).every((name) => permissions.has(permissionToRead(name)));

/** Reports whether an endpoint creates missing data keys. Read-only endpoints do not create keys. */
export const makesDataKeys = (
  contract: Pick<Contract, 'method' | 'writes' | 'emits' | 'sensitive'>,
): boolean => contract.sensitive === true && changes(contract);

export const successStatus = (contract: Contract): number =>
  ({ ok: 200, created: 201, accepted: 202, empty: 204, redirect: 302 })[contract.success ?? 'ok'];
