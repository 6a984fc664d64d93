import { ApiError } from '../errors.ts';
import type { Permission } from '../resources/registry.ts';
import type { Principal } from '../security/principal.ts';
import { type Contract, changes, permissionsOf } from './contract.ts';

/**
 * The sessions of impersonations that may call an endpoint.
 * - `always`: all sessions
 * - `write`: only sessions that may write
 * - `never`: no session
 */
type ImpersonationRule = 'always' | 'write' | 'never';

type RuledContract = Pick<
  Contract,
  | 'method'
  | 'access'
  | 'permission'
  | 'anyPermission'
  | 'administratorOnly'
  | 'orSelf'
  | 'emits'
  | 'writes'
  | 'files'
  | 'impersonated'
>;

/**
 * The permissions to change records that also apply to an administrator who acts as the user. A new permission is not
 * among them. Never add permissions to change users, rights, keys, secrets or automatic rules: such changes would
 * outlive the impersonation, or bypass a rule that needs two people.
 */
const usable: ReadonlySet<Permission> = new Set<Permission>([
  'writeLeads',
  'writeLeadSources',
  'writeLeadRotations',
  'writeApplications',
  'writeUnderwriting',
  'writeMerchants',
  'writeTickets',
  'bulkTickets',
  'writeTicketTypes',
  'writeTicketRotations',
]);

const isUsable = (name: Permission): boolean => name.startsWith('read') || usable.has(name);

/**
 * Derives from a contract whether an impersonated session may call the endpoint. Endpoints of administrators, links to
 * files, changes of a person or its sessions, and endpoints with permissions that are not `usable` are never allowed.
 */
export function impersonationRuleOf(contract: RuledContract): ImpersonationRule {
  const { access, impersonated, administratorOnly, orSelf, files, anyPermission = [] } = contract;
  if (impersonated) return impersonated;
  const isChange = changes(contract);
  if (access === 'public') return 'always';
  if (access === 'session') return isChange ? 'never' : 'always';
  const isForbidden =
    files === 'download' ||
    (administratorOnly && (!orSelf || isChange)) ||
    ![...permissionsOf(contract), ...anyPermission].every(isUsable);
  if (isForbidden) return 'never';
  return isChange ? 'write' : 'always';
}

/** Throws `not_while_impersonating` or `impersonation_read_only` if an impersonated session may not call the endpoint. */
export function requireAllowedImpersonation(
  contract: RuledContract,
  { impersonation }: Pick<Principal, 'impersonation'>,
): void {
  if (!impersonation) return;
  const rule = impersonationRuleOf(contract);
  if (rule === 'never') throw new ApiError('not_while_impersonating');
  if (rule === 'write' && !impersonation.write) throw new ApiError('impersonation_read_only');
}

/**
 * Throws `own_session_required` if a session by single sign-on would change the person, or show what belongs to the person
 * only. The account's identity provider began the session, and must not change what the person has in other accounts.
 */
export function requireOwnSession(
  contract: RuledContract,
  { signedOnTo }: Pick<Principal, 'signedOnTo'>,
): void {
  if (signedOnTo && contract.access === 'session' && impersonationRuleOf(contract) === 'never')
    throw new ApiError('own_session_required');
}

const disclosures: ReadonlySet<string> = new Set(['application_sensitive_data_revealed', 'file_requested']);

/** Throws `not_while_impersonating` if the response to an impersonated session would show a sensitive value or a file. */
export function requireNoDisclosure(
  principal: Pick<Principal, 'impersonation'> | undefined,
  events: readonly { kind: string }[] = [],
): void {
  if (principal?.impersonation && events.some(({ kind }) => disclosures.has(kind)))
    throw new ApiError('not_while_impersonating');
}
