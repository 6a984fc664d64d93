import type { ErrorCode } from '../errors.ts';
import type { EmittedKind } from '../events/catalogue.ts';
import type { EventKind } from '../events/kinds.ts';
import type { TSchema } from '../schema.ts';
import { type Permission, permissionToRead } from '../security/permissions.ts';
import type { Principal } from '../security/principal.ts';

/**
 * Whom an endpoint lets in.
 * - `account`: a principal of the account that x-account-id names (a key's own account when it names none)
 * - `home`: the same, but without the header the account is the principal's primary one
 * - `session`: any principal; the request names no account
 * - `public`: anybody
 */
export type Access = Admission['access'] & string;

/** Permissions belong to an account, and these requests have none. */
interface OfNoAccount {
  sensitive?: never;
  permission?: never;
  administratorOnly?: never;
  orSelf?: never;
  applicant?: never;
  applicantMayNotSend?: never;
}

interface ToEverybody extends OfNoAccount {
  access: 'public';
  sessionOnly?: never;
}

interface ToEveryPrincipal extends OfNoAccount {
  access: 'session';
  /** By a session token alone: an API key that is presented directly is 401. */
  sessionOnly?: true;
}

interface OfAnAccount {
  /** Left out: `account`. */
  access?: 'account' | 'home';
  sessionOnly?: never;
  /** Seals, opens or compares sensitive values: its requests have the account's data keys. */
  sensitive?: true;
}

/**
 * A user may do it too, without permission, where a request is about the user itself.
 * - `path`: `{email}` names whom it is about
 * - `query`: `user` does, by email; who names nobody means itself
 */
type OrSelf = 'path' | 'query';

export interface ByPermission extends OfAnAccount {
  /** Of several, all are needed. */
  permission: Permission | readonly [Permission, ...Permission[]];
  applicant?: never;
  applicantMayNotSend?: never;
  administratorOnly?: never;
  orSelf?: OrSelf;
}

interface ByPermissionOrAppKey extends Omit<ByPermission, 'applicant' | 'applicantMayNotSend' | 'access'> {
  access?: 'account';
  /**
   * The key of the application that `{applicationId}` in the path names may stand in for a token and the permission, by
   * `appKey` and `acctId` in the query.
   */
  applicant: true;
  /** Fields of the query or of the body that whoever comes with such a key may not send. */
  applicantMayNotSend?: readonly string[];
}

export interface ByAdministrators extends OfAnAccount {
  /** Administrators of the account only, which no API key is. */
  administratorOnly: true;
  permission?: never;
  orSelf?: OrSelf;
  applicant?: never;
  applicantMayNotSend?: never;
}

/** Whom an endpoint lets in. Within an account it says what they need: saying nothing does not compile. */
export type Admission =
  | ToEverybody
  | ToEveryPrincipal
  | ByPermission
  | ByPermissionOrAppKey
  | ByAdministrators;

/**
 * What an endpoint promises; all but its handler follows from it: the validators, the types, the
 * route, the function's rights, the local router, the OpenAPI document and the generated tests.
 */
export type Contract<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
> = ContractTerms<P, Q, B, R> & Admission & Emission;

/** Events about what was shown: all that a GET may emit. */
type ShownKind = EmittedKind & Extract<EventKind, 'application_sensitive_data_revealed' | 'file_requested'>;

interface ReadsOnly {
  method: 'GET';
  emits?: readonly ShownKind[];
  writes?: never;
}

interface MayChange {
  method: Exclude<ContractTerms['method'], 'GET'>;
}

/** What an endpoint may emit: a GET changes nothing, and so only that it showed something. */
export type Emission = ReadsOnly | MayChange;

/**
 * What an endpoint does in the bucket of files.
 * - `upload`: signs uploads into `incoming/`
 * - `take`: looks at an upload and copies it into `documents/`
 * - `download`: signs addresses of what is in `documents/`
 */
export type FileUse = 'upload' | 'take' | 'download';

/** What a contract says beside whom it lets in. */
export interface ContractTerms<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
  /** As API Gateway writes it: `/leads/{leadId}`. `$default` is for what no other path matches. */
  path: string;
  /** One line for the reference. */
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** No body counts as an empty object. */
  bodyOptional?: boolean;
  response: R;
  /**
   * Of a PUT or PATCH: the schema of the record as GET returns it, from which the read-only fields of the body follow
   * (`read-only-fields.ts`). Default: the response, if the path ends with the id of a record.
   */
  record?: TSchema;
  /** Left out: `ok`, 200. `created` is 201, `accepted` 202. */
  success?: 'ok' | 'created' | 'accepted';
  /** Its own errors, beside those that every endpoint of its access has. */
  errors?: readonly ErrorCode[];
  /** The kinds of events it can emit. What neither emits nor `writes`, and every GET, gets no right to change records. */
  emits?: readonly EmittedKind[];
  /** Changes the table without an event. */
  writes?: boolean;
  /** Issues session tokens, and so reads the signing secret although nobody is signed in yet. */
  signsIn?: true;
  /** Takes a user's email where it takes an id, and so may look up whose it is. */
  namesUsers?: true;
  /** Fields of the response that are shown once, as paths (`system.appKey`); a replay by Idempotency-Key leaves them out. */
  oneTime?: readonly string[];
  /** What it does with files: it uploads none itself, but signs for others, and takes in what they uploaded. */
  files?: FileUse;
  /** Why it takes no `dryRun`, in a sentence for the reference. Left out: it takes one if it changes anything. */
  noDryRun?: string;
  /**
   * Commits parts of its own while it decides, by `request.commit`: a POST over many records, each of which stands alone. It
   * decides once; see `CommitsParts`.
   */
  commitsParts?: true;
  /** `read` reads many records: it runs beside authentication only if this instance saw the same session a moment ago. */
  readsMany?: true;
  /** How many calls a request counts as against the principal's limit. Default: one. */
  weigh?(query: unknown): number;
  /** Of a list: the values of its enums in the order by which they sort. A bundle has no schemas, and gets it from the build. */
  ranks?: Record<string, readonly string[]>;
  /** The response is a document that the build made, of this type: sent compressed, and 304 to a client that has it. */
  mediaType?: string;
  /** The part of the whole API's description that the handler needs. */
  apiArtifact?: 'openapi' | 'referencePage' | 'routes';
}

/** Throws for an event of a kind that the contract does not list: what a request does is what the reference says. */
export function requireListed(
  { method, path, emits = [] }: Pick<Contract, 'method' | 'path' | 'emits'>,
  events: readonly { kind: EmittedKind }[],
): void {
  const unlisted = events.find(({ kind }) => !emits.includes(kind));
  if (unlisted)
    throw new Error(`${method} ${path} emits ${unlisted.kind}, which its contract does not list.`);
}

/** The record whose GET response an endpoint accepts as its body; undefined if the endpoint does not replace a record. */
export const replacedRecord = ({
  method,
  path,
  record,
  response,
}: Pick<Contract, 'method' | 'path' | 'record' | 'response'>): TSchema | undefined =>
  record ?? ((method === 'PUT' || method === 'PATCH') && path.endsWith('}') ? response : undefined);

/** Whether an endpoint emits events. */
export const emitsEvents = ({ emits = [] }: Pick<Contract, 'emits'>): boolean => emits.length > 0;

/** Whether an endpoint changes records, and so needs the right to. A GET only emits what it showed. */
export const changes = (contract: Pick<Contract, 'method' | 'writes' | 'emits'>): boolean =>
  contract.method !== 'GET' && (contract.writes === true || emitsEvents(contract));

/**
 * Whether an endpoint takes `dryRun` in the query, and with it commits nothing and responds with what would happen: each that
 * changes anything, unless its contract says why not.
 */
export const takesDryRun = (contract: Pick<Contract, 'method' | 'writes' | 'emits' | 'noDryRun'>): boolean =>
  changes(contract) && contract.noDryRun === undefined;

/** The permissions that a caller needs, all of them. */
export const permissionsOf = ({ permission }: Pick<Contract, 'permission'>): readonly Permission[] =>
  permission === undefined ? [] : [permission].flat();

/** Whether a caller may read the records that a contract's permissions allow to change. */
export const mayReadChanged = (contract: Pick<Contract, 'permission'>, { permissions }: Principal): boolean =>
  permissionsOf(contract).every((name) => permissions.has(permissionToRead(name)));

/** Whether an endpoint makes the data keys that its account lacks: one that changes nothing only opens what there is. */
export const makesDataKeys = (
  contract: Pick<Contract, 'method' | 'writes' | 'emits' | 'sensitive'>,
): boolean => contract.sensitive === true && changes(contract);

/** The status of a success. */
export const successStatus = (contract: Contract): number =>
  ({ ok: 200, created: 201, accepted: 202 })[contract.success ?? 'ok'];
