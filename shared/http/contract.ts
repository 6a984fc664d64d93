import type { EmittedKind } from '../../events/event.ts';
import type { Permission } from '../auth/permissions.ts';
import type { TSchema } from '../schema.ts';
import type { ErrorCode } from './errors.ts';

/**
 * Who gets through the door.
 * - `account`: a caller of the account that x-account-id names (a key's own account when it names none)
 * - `home`: the same, but without the header the account is the caller's primary one
 * - `session`: any caller; no account is named
 * - `public`: everybody
 */
export type Access = 'account' | 'home' | 'session' | 'public';

/**
 * An endpoint as everybody but its handler sees it. From this one value come the validators, the types, the
 * route, the function's rights, the local router, the OpenAPI document and the generated tests.
 */
export interface Contract<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
  /** As API Gateway writes it: `/leads/{leadId}`. `$default` answers what no other path does. */
  path: string;
  /** One line for the reference. */
  summary: string;
  description?: string;
  /** Left out: `account`. */
  access?: Access;
  permission?: Permission;
  /** Administrators of the account only, which no API key is. */
  administratorOnly?: boolean;
  /** The user that `{email}` in the path names may do it too, without permission. */
  orSelf?: boolean;
  params?: P;
  query?: Q;
  body?: B;
  /** No body counts as an empty object. */
  bodyOptional?: boolean;
  response: R;
  /** Left out: `ok`, 200. `created` is 201, `accepted` 202. */
  success?: 'ok' | 'created' | 'accepted';
  /** Refusals of its own, beside those every endpoint of its access has. */
  refuses?: readonly ErrorCode[];
  /** The kinds of events it can announce; an endpoint that announces or changes nothing gets no right to write. */
  announces?: readonly EmittedKind[];
  /** Changes the table without announcing anything. */
  writes?: boolean;
  /** Fields of the answer that are shown once and never replayed. */
  oneTime?: readonly string[];
  /** The answer is a document that the build made, of this type: sent compressed, and 304 to who has it. */
  mediaType?: string;
  /** Tells of the whole API, and so is handed this part of its description. */
  tellsOf?: 'openapi' | 'referencePage' | 'routes';
}

/** Whether an endpoint changes the table, and so needs the right to. */
export const changes = (contract: Pick<Contract, 'writes' | 'announces'>): boolean =>
  contract.writes === true || (contract.announces?.length ?? 0) > 0;

/** The status of a success. */
export const successStatus = (contract: Contract): number =>
  ({ ok: 200, created: 201, accepted: 202 })[contract.success ?? 'ok'];
