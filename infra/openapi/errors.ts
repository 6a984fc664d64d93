import {
  accountPermissionOf,
  type Contract,
  changes,
  emitsEvents,
  permissionsOf,
  proofsOf,
} from '../../shared/endpoints/contract.ts';
import { impersonationRuleOf } from '../../shared/endpoints/impersonation-rule.ts';
import { type ErrorCode, statusOf } from '../../shared/errors.ts';
import { isIdempotent } from '../../shared/http/idempotency.ts';

/** Reports whether the endpoint accepts If-Match. */
export const takesIfMatch = ({ method }: Contract): boolean => ['PUT', 'PATCH', 'DELETE'].includes(method);

/** Returns all error codes of an endpoint, in the order in which the service checks them. */
function errorsOf(contract: Contract): ErrorCode[] {
  const {
    access = 'account',
    anyPermission,
    administratorOnly,
    servesClosed,
    params,
    body,
    errors = [],
  } = contract;
  const signedIn = access !== 'public';
  const inAccount = signedIn && access !== 'session';
  const rule = impersonationRuleOf(contract);
  const disclosing = contract.method === 'GET' && emitsEvents(contract);
  const needsPermission =
    (anyPermission ?? accountPermissionOf(contract) ?? permissionsOf(contract)).length > 0;
  const codes: (ErrorCode | false)[] = [
    signedIn && 'not_authenticated',
    access === 'account' && 'account_required',
    inAccount && 'account_forbidden',
    inAccount && servesClosed !== true && 'account_closed',
    inAccount && needsPermission && 'permission_denied',
    inAccount && administratorOnly !== undefined && 'administrator_only',
    signedIn && (rule === 'never' || disclosing) && 'not_while_impersonating',
    signedIn && rule === 'write' && 'impersonation_read_only',
    proofsOf(contract).length > 0 && 'step_up_required',
    proofsOf(contract).length > 0 && inAccount && 'factor_required',
    signedIn && 'too_many_requests',
    body !== undefined && 'body_too_large',
    body !== undefined && 'invalid_json',
    // Every endpoint can return this code, because unknown query parameters are rejected.
    'invalid_input',
    isIdempotent(contract) && 'invalid_idempotency_key',
    isIdempotent(contract) && 'idempotency_key_reused',
    takesIfMatch(contract) && 'invalid_if_match',
    params !== undefined && 'not_found',
    ...errors,
    takesIfMatch(contract) && 'version_mismatch',
    (signedIn || changes(contract)) && 'busy',
    'internal_error',
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

/** The error codes by HTTP status, in ascending order. */
export function errorsByStatus(contract: Contract): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  const codes = errorsOf(contract).sort((one, other) => statusOf(one) - statusOf(other));
  for (const code of codes) byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  return byStatus;
}
