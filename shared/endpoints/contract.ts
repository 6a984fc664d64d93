import type { ErrorCode } from '../errors.ts';
import type { EmittedKind } from '../events/catalogue.ts';
import type { EventKind } from '../events/kinds.ts';
import type { TSchema } from '../schema.ts';
import { type Permission, permissionToRead } from '../security/permissions.ts';
import type { Principal } from '../security/principal.ts';

/**
 * The callers that an endpoint accepts.
 * - `account`: a principal of the account in x-account-id. For an API key the default is its own account.
 * - `home`: the same, but the default is the primary account of a user
 * - `session`: any principal; the request names no account
 * - `public`: everyone
 */
export type Access = Admission['access'] & string;

/** Fields that an object must not have. */
export type Without<Names extends string> = { [Name in Names]?: undefined };

type ApplicantTerms = 'applicant' | 'applicantMayNotSend';

/** Permissions belong to an account, so requests without an account have none. */
type AccountTerms = 'sensitive' | 'permission' | 'administratorOnly' | 'orSelf' | ApplicantTerms;

interface ToEverybody extends Without<AccountTerms | 'sessionOnly'> {
  access: 'public';
}

interface ToEveryPrincipal extends Without<AccountTerms> {
  access: 'session';
  /** Only session tokens are accepted: an API key sent directly gets 401. */
  sessionOnly?: true;
}

interface OfAnAccount extends Without<'sessionOnly'> {
  /** Default `account`. */
  access?: 'account' | 'home';
  /** Seals, opens or compares sensitive values, so its requests get the account's data keys. */
  sensitive?: true;
  /**
   * Lets users act on their own data without the permission.
   * - `path`: the user is `{email}` in the path
   * - `query`: the user is `user` in the query, an email; the default is the caller
   */
  orSelf?: 'path' | 'query';
}

export interface ByPermission extends OfAnAccount, Without<ApplicantTerms | 'administratorOnly'> {
  /** The caller needs all of them. */
  permission: Permission | readonly [Permission, ...Permission[]];
}

interface ByPermissionOrAppKey extends Omit<ByPermission, ApplicantTerms | 'access'> {
  access?: 'account';
  /** Also accepts the key of the application in the path (`{applicationId}`): `appKey` and `acctId` in the query. */
  applicant: true;
  /** Fields of the query or body that applicants may not send. */
  applicantMayNotSend?: readonly string[];
}

export interface ByAdministrators extends OfAnAccount, Without<ApplicantTerms | 'permission'> {
  /** Only administrators of the account; an API key is never one. */
  administratorOnly: true;
}

/** The callers that an endpoint accepts. Inside an account, a contract without permission rules does not compile. */
export type Admission =
  | ToEverybody
  | ToEveryPrincipal
  | ByPermission
  | ByPermissionOrAppKey
  | ByAdministrators;

/**
 * The contract of an endpoint. Validators, types, route, IAM rights, local router, OpenAPI document and generated tests
 * follow from it.
 */
export type Contract<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
> = ContractTerms<P, Q, B, R> & Admission & Emission;

/** The events that a GET may emit: they record that data was shown. */
type ShownKind = EmittedKind & Extract<EventKind, 'application_sensitive_data_revealed' | 'file_requested'>;

interface ReadsOnly {
  method: 'GET';
  emits?: readonly ShownKind[];
  writes?: never;
}

interface MayChange {
  method: Exclude<ContractTerms['method'], 'GET'>;
}

/** A GET changes nothing, so it may only emit events about shown data. */
export type Emission = ReadsOnly | MayChange;

/**
 * How an endpoint uses the bucket of files.
 * - `upload`: signs uploads into `incoming/`
 * - `take`: reads an upload and copies it into `documents/`
 * - `download`: signs downloads from `documents/`
 */
export type FileUse = 'upload' | 'take' | 'download';

/** The terms of a contract, without its callers. */
export interface ContractTerms<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
  /** In API Gateway's notation: `/leads/{leadId}`. `$default` matches paths without a route. */
  path: string;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** An absent body counts as an empty object. */
  bodyOptional?: boolean;
  response: R;
  /**
   * For a PUT or PATCH: the schema of the record as GET returns it. The read-only fields of the body follow from it (see
   * `read-only-fields.ts`). Default: the response, if the path ends with the id of a record.
   */
  record?: TSchema;
  /** Default `ok` (200). `created` is 201, `accepted` 202. */
  success?: 'ok' | 'created' | 'accepted';
  /** Errors in addition to those that every endpoint of its access has. */
  errors?: readonly ErrorCode[];
  /**
   * The event kinds it can emit. With neither `emits` nor `writes`, and for every GET, the function cannot change
   * records.
   */
  emits?: readonly EmittedKind[];
  /** Changes records without an event. */
  writes?: boolean;
  /** Issues session tokens, and therefore reads the signing secret without a session. */
  signsIn?: true;
  /** Accepts a user's email in place of an id, and therefore may look up emails. */
  namesUsers?: true;
  /** Paths of response fields that are shown once (`system.appKey`). Replays by Idempotency-Key omit them. */
  oneTime?: readonly string[];
  /** How it uses the bucket. Files themselves never pass through the API. */
  files?: FileUse;
  /**
   * Why it accepts no `dryRun`, as a sentence for the reference. By default, endpoints that change something accept it.
   */
  noDryRun?: string;
  /** Commits independent parts by `request.commit` while it decides: a POST over many records. See `CommitsParts`. */
  commitsParts?: true;
  /** `read` reads many records, so it starts early only if this instance proved the same session in the last minute. */
  readsMany?: true;
  /** The number of calls that a request counts as. Default 1. */
  weigh?(query: unknown): number;
  /**
   * For a list: the enum values of its fields in sort order. The build adds them, because bundles contain no schemas.
   */
  ranks?: Record<string, readonly string[]>;
  /** The media type of a document that the build made. It is sent compressed, and as 304 to clients that have it. */
  mediaType?: string;
  /** The part of the API description that the handler needs. */
  apiArtifact?: 'openapi' | 'referencePage' | 'routes';
}

/** Throws for an event kind that the contract does not list, so that the reference is complete. */
export function requireListed(
  { method, path, emits = [] }: Pick<Contract, 'method' | 'path' | 'emits'>,
  events: readonly { kind: EmittedKind }[],
): void {
  const unlisted = events.find(({ kind }) => !emits.includes(kind));
  if (unlisted)
    throw new Error(`${method} ${path} emits ${unlisted.kind}, which its contract does not list.`);
}

/** The schema of the record that a PUT or PATCH replaces; undefined for other endpoints. */
export const replacedRecord = ({
  method,
  path,
  record,
  response,
}: Pick<Contract, 'method' | 'path' | 'record' | 'response'>): TSchema | undefined =>
  record ?? ((method === 'PUT' || method === 'PATCH') && path.endsWith('}') ? response : undefined);

export const emitsEvents = ({ emits = [] }: Pick<Contract, 'emits'>): boolean => emits.length > 0;

/** Reports whether an endpoint changes records, and so needs the right to. */
export const changes = (contract: Pick<Contract, 'method' | 'writes' | 'emits'>): boolean =>
  contract.method !== 'GET' && (contract.writes === true || emitsEvents(contract));

/** Reports whether an endpoint accepts `dryRun`: if it changes something and its contract has no `noDryRun`. */
export const takesDryRun = (contract: Pick<Contract, 'method' | 'writes' | 'emits' | 'noDryRun'>): boolean =>
  changes(contract) && contract.noDryRun === undefined;

/** The permissions that a caller needs, all of them. */
export const permissionsOf = ({ permission }: Pick<Contract, 'permission'>): readonly Permission[] =>
  permission === undefined ? [] : [permission].flat();

/** Reports whether a caller may read the records that the contract's permissions allow to change. */
export const mayReadChanged = (contract: Pick<Contract, 'permission'>, { permissions }: Principal): boolean =>
  permissionsOf(contract).every((name) => permissions.has(permissionToRead(name)));

/** Reports whether an endpoint creates missing data keys. An endpoint that only reads does not. */
export const makesDataKeys = (
  contract: Pick<Contract, 'method' | 'writes' | 'emits' | 'sensitive'>,
): boolean => contract.sensitive === true && changes(contract);

export const successStatus = (contract: Contract): number =>
  ({ ok: 200, created: 201, accepted: 202 })[contract.success ?? 'ok'];
