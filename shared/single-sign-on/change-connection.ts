import { domainToASCII } from 'node:url';
import { mustSignOn } from '../accounts/must-sign-on.ts';
import type { StoredAccount } from '../accounts/schema.ts';
import { accounts } from '../accounts/store.ts';
import { domainHolders } from '../domains/store.ts';
import { ApiError, invalid } from '../errors.ts';
import type { Effects, EventDraft } from '../events/envelope.ts';
import { unnamedChange } from '../events/unnamed-change.ts';
import type { AccountId } from '../id/account-id.ts';
import { validateUrl } from '../messaging/webhooks/destination.ts';
import { grantRoles } from '../people/roles/grant-roles.ts';
import type { Roles } from '../people/roles/schema.ts';
import { roles } from '../people/roles/store.ts';
import { teams } from '../people/teams/store.ts';
import type { Happening } from '../resources/registry.ts';
import type { DataKeys } from '../security/data-keys.ts';
import type { SignedIn } from '../security/principal.ts';
import { inParallel } from '../table/in-parallel.ts';
import type { Write } from '../table/operations.ts';
import { newRecord } from '../table/record-fields.ts';
import { type Authored, revise } from '../table/revise.ts';
import { encryptClientSecret, readPrivateKey } from './client-secret.ts';
import type { SsoConnectionInput, SsoConnectionPatch, StoredSsoConnection } from './schema.ts';
import { ssoConnections } from './store.ts';

interface ConnectionRequest extends Authored {
  account: AccountId;
  principal: SignedIn;
  dataKeys(): Promise<DataKeys>;
}

interface ConnectionChange extends Effects {
  connection: StoredSsoConnection;
}

/** The account, its roles and all of its connections. */
interface Surroundings {
  accountRecord: StoredAccount;
  all: Roles;
  connections: readonly StoredSsoConnection[];
}

/**
 * Reads what a change of a connection depends on. Reads the account before the connections: if another request enforces a
 * connection meanwhile, it changes the version of the account, so this change conflicts.
 */
export async function readSurroundings(account: AccountId): Promise<Surroundings> {
  const [accountRecord, all] = await inParallel([accounts.get(account), roles.all(account)]);
  return { accountRecord, all, connections: await ssoConnections.all(account) };
}

/** Creates a connection. Throws `invalid_input`, `domain_not_validated`, `role_unknown`, `team_unknown`, `grant_exceeds_own`. */
export async function createConnection(
  request: ConnectionRequest & { body: SsoConnectionInput },
  { accountRecord, all, connections }: Surroundings,
): Promise<ConnectionChange> {
  const { clientSecret, privateKey, ...body } = request.body;
  const record = newRecord(request);
  const settings = await readSettings(body, all, request);
  const { enforced = false, provisioning = false, secondFactor = 'amr', rolesAtEverySignIn = false } = body;
  const { authentication, keyId, issuer, clientId, returnUrls } = body;
  const domains = await readDomains(body.domains, record.id, connections, request);
  const secret = requireSecret({ authentication, clientSecret, privateKey });
  const connection: StoredSsoConnection = {
    ...record,
    ...{ issuer, clientId, authentication, domains, returnUrls },
    ...(keyId !== undefined && { keyId }),
    ...{ enforced, provisioning, secondFactor, rolesAtEverySignIn },
    ...{ defaultRoleIds: [], roleMappings: [], ...settings },
    secretChangedAt: request.now.toISOString(),
    secret: await encryptClientSecret(record, secret, await request.dataKeys()),
  };
  return {
    connection,
    writes: [
      ...ssoConnections.insert(connection),
      ...holdDomains(connection.domains, request),
      ...enforce([...connections, connection], accountRecord, request),
    ],
    events: connectionChanged('sso_connection_created', connection, { secretChanged: true }),
  };
}

/** Changes a connection. Throws the same errors as `createConnection`. */
export async function updateConnection(
  before: StoredSsoConnection,
  request: ConnectionRequest & { body: SsoConnectionPatch },
  { accountRecord, all, connections }: Surroundings,
): Promise<ConnectionChange> {
  const { clientSecret, privateKey, domains, defaultRoles: _, roleMappings: __, ...body } = request.body;
  const { authentication = before.authentication } = body;
  const settings = await readSettings(request.body, all, request);
  const isNewKind = (authentication === 'private_key_jwt') !== (before.authentication === 'private_key_jwt');
  // Otherwise, the stored secret would be sent to a server that the administrator chooses.
  const isNewIssuer = body.issuer !== undefined && body.issuer !== before.issuer;
  const isNewSecret = isNewKind || isNewIssuer || clientSecret !== undefined || privateKey !== undefined;
  const secret = isNewSecret
    ? {
        secretChangedAt: request.now.toISOString(),
        secret: await encryptClientSecret(
          before,
          requireSecret({ authentication, clientSecret, privateKey }),
          await request.dataKeys(),
        ),
      }
    : {};
  const read = domains && (await readDomains(domains, before.id, connections, request));
  const after = revise(before, { ...body, ...settings, domains: read, ...secret }, request);
  const others = connections.filter(({ id }) => id !== before.id);
  return {
    connection: after,
    writes: [
      ...ssoConnections.replace(before, after),
      ...holdDomains(read ?? [], request),
      ...enforce([...others, after], accountRecord, request),
    ],
    events:
      before === after
        ? []
        : connectionChanged('sso_connection_updated', after, isNewSecret ? { secretChanged: true } : {}),
  };
}

/** Deletes a connection. Sessions that began with it continue until they expire. */
export function deleteConnection(
  connection: StoredSsoConnection,
  request: Omit<ConnectionRequest, 'dataKeys'>,
  { accountRecord, connections }: Surroundings,
): ConnectionChange {
  const others = connections.filter(({ id }) => id !== connection.id);
  return {
    connection,
    writes: [...ssoConnections.delete(connection), ...enforce(others, accountRecord, request)],
    events: connectionChanged('sso_connection_deleted', connection),
  };
}

/** Ends the enforcement of all connections of an account, so that its members can use passwords. For an operator. */
export function allowPasswords(
  account: StoredAccount,
  connections: readonly StoredSsoConnection[],
  author: Authored,
): Effects {
  const changes = connections
    .filter(({ enforced }) => enforced)
    .map((before) => ({ before, after: revise(before, { enforced: false }, author) }));
  return {
    writes: [
      ...changes.flatMap(({ before, after }) => ssoConnections.replace(before, after)),
      ...accounts.replaceOther(account, revise(account, { signOnDomains: null }, author)),
    ],
    events: changes.flatMap(({ after }) => connectionChanged('sso_connection_updated', after)),
  };
}

/** Checks the addresses, and returns the ids of the roles. The caller may map only roles that it may grant. */
async function readSettings(
  { issuer, returnUrls, defaultRoles, roleMappings }: SsoConnectionPatch,
  all: Roles,
  { account, principal }: ConnectionRequest,
): Promise<Pick<Partial<StoredSsoConnection>, 'defaultRoleIds' | 'roleMappings'>> {
  if (issuer !== undefined) requireAddress(issuer, 'issuer');
  if (issuer?.includes('?')) throw invalid('issuer', 'must not contain a query');
  for (const [n, url] of (returnUrls ?? []).entries()) requireAddress(url, `returnUrls[${n}]`);
  for (const { teamId } of roleMappings ?? []) await teams.requireActive(account, teamId);
  const idsOf = (names: readonly string[]) => grantRoles(all, names, principal);
  return {
    ...(defaultRoles && { defaultRoleIds: idsOf(defaultRoles) }),
    ...(roleMappings && {
      roleMappings: roleMappings.map(({ roles, ...mapping }) => ({ ...mapping, roleIds: idsOf(roles) })),
    }),
  };
}

/** Applies the rules of webhooks: https and a public host. The stage `local` also allows loopback hosts. */
function requireAddress(url: string, field: string): void {
  const details = validateUrl(url).map(({ message }) => ({ field, message }));
  if (details.length > 0) throw new ApiError('invalid_input', { details });
}

/** Returns the domains in Punycode. Throws unless the account holds them and no other connection contains them. */
async function readDomains(
  names: readonly string[],
  id: number,
  connections: readonly StoredSsoConnection[],
  { account }: ConnectionRequest,
): Promise<string[]> {
  const domains = [...new Set(names.map((name) => domainToASCII(name.trim().toLowerCase())))];
  const others = connections.filter((other) => other.id !== id).flatMap((other) => other.domains);
  for (const [n, domain] of domains.entries()) {
    const field = `domains[${n}]`;
    if (domain === '' || (await domainHolders.find(domain))?.home !== account)
      throw invalid(field, 'must be a validated vanity domain of this account', 'domain_not_validated');
    if (others.includes(domain)) throw invalid(field, 'belongs to another connection');
  }
  return domains;
}

const holdDomains = (domains: readonly string[], { account }: ConnectionRequest): Write[] =>
  domains.map((domain) => domainHolders.isHolder({ domain, accountId: account }));

function requireSecret({
  authentication,
  clientSecret,
  privateKey,
}: Pick<SsoConnectionPatch, 'authentication' | 'clientSecret' | 'privateKey'>): string {
  const usesKey = authentication === 'private_key_jwt';
  const [field, sent, other] = usesKey
    ? (['privateKey', privateKey, clientSecret] as const)
    : (['clientSecret', clientSecret, privateKey] as const);
  if (other !== undefined)
    throw invalid(usesKey ? 'clientSecret' : 'privateKey', `must be absent with ${authentication}`);
  if (sent === undefined) throw invalid(field, `is required for ${authentication}`);
  if (usesKey) readPrivateKey(sent);
  return sent;
}

/**
 * Copies the enforced domains to the account, which every request reads. Throws `single_sign_on_required` if the caller
 * could then not continue, so that nobody enforces a connection that was never used, and `invalid_input` if members need
 * passkeys, which a session by single sign-on cannot prove.
 */
function enforce(
  connections: readonly StoredSsoConnection[],
  accountRecord: StoredAccount,
  { principal, now }: Omit<ConnectionRequest, 'dataKeys'>,
): Write[] {
  const signOnDomains = connections.flatMap(({ enforced, domains }) => (enforced ? domains : [])).sort();
  const isNew = (domain: string) => !accountRecord.signOnDomains?.includes(domain);
  const added = signOnDomains.filter(isNew);
  if (added.length > 0 && accountRecord.mfa?.policy === 'phishingResistant')
    throw invalid(
      'enforced',
      'must be false while `mfa.policy` of the account is phishingResistant, because a session by single sign-on proves no passkey',
    );
  if (mustSignOn({ signOnDomains: added }, principal))
    throw new ApiError('single_sign_on_required', {
      message: 'To enforce single sign-on for your own address, sign in with this connection first.',
    });
  const stored = signOnDomains.length > 0 ? signOnDomains : null;
  return accounts.replaceOther(
    accountRecord,
    revise(accountRecord, { signOnDomains: stored }, { principal, now }),
  );
}

const connectionChanged = (
  happening: Extract<Happening, `sso_connection_${string}`>,
  connection: StoredSsoConnection,
  more: { secretChanged?: boolean } = {},
): EventDraft[] => {
  const { issuer, domains, enforced } = connection;
  const detail = { host: new URL(issuer).host, domains, enforced, ...more };
  return unnamedChange(connection.accountId, happening, connection, detail);
};
