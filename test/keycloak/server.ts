import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../infra/administration/free-port.ts';
import { startTethered } from '../../infra/local/tethered-process.ts';
import { clientId } from '../single-sign-on/world.ts';

/** A user of the realm. The user name is the part of the address before the @. */
export interface KeycloakUser {
  email: string;
  emailVerified: boolean;
  password: string;
  /** The names of groups, which the claim `groups` contains. */
  groups?: readonly string[];
}

interface Settings {
  clientSecret: string;
  /** Receives logout tokens. */
  logoutUrl: string;
  users: readonly KeycloakUser[];
}

const realm = 'merchant-ops';

/**
 * Starts the Keycloak in KEYCLOAK_HOME on a free loopback port, in its development mode and with a database in memory.
 * Resolves when it serves the realm. Throws the end of its log if it does not start.
 */
export async function startKeycloak(settings: Settings): Promise<{ issuer: string; stop(): Promise<void> }> {
  const home = process.env.KEYCLOAK_HOME ?? '';
  mkdirSync(join(home, 'data', 'import'), { recursive: true });
  writeFileSync(join(home, 'data', 'import', 'realm.json'), JSON.stringify(realmOf(settings)));
  const port = await freePort();
  const logFile = join(home, 'keycloak.log');
  const server = startTethered('sh', [
    ...[join(home, 'bin', 'kc.sh'), 'start-dev', '--import-realm', '--db=dev-mem'],
    ...['--http-host=127.0.0.1', `--http-port=${port}`, '--log=file', `--log-file=${logFile}`],
  ]);
  const issuer = `http://127.0.0.1:${port}/realms/${realm}`;
  const deadline = Date.now() + 240_000;
  while (server.isRunning() && Date.now() < deadline) {
    if (await isServing(issuer)) return { issuer, stop: server.stop };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await server.stop();
  throw new Error(`Keycloak did not start. ${await server.exited}\n${endOf(logFile)}`);
}

function endOf(logFile: string): string {
  try {
    return readFileSync(logFile, 'utf8').slice(-4000);
  } catch {
    return 'There is no log.';
  }
}

async function isServing(issuer: string): Promise<boolean> {
  try {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** A realm in Keycloak's format for imports. Values that are not set have Keycloak's defaults. */
const realmOf = ({ clientSecret, logoutUrl, users }: Settings) => ({
  realm,
  enabled: true,
  // The tests move the clock of the service beyond the default lifespan of an ID token.
  accessTokenLifespan: 3600,
  clients: [
    {
      clientId,
      secret: clientSecret,
      redirectUris: ['http://api.test/auth/sso/callback'],
      attributes: {
        'pkce.code.challenge.method': 'S256',
        'backchannel.logout.url': logoutUrl,
        'backchannel.logout.session.required': 'true',
      },
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-group-membership-mapper',
          config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
        },
      ],
    },
  ],
  groups: [...new Set(users.flatMap(({ groups = [] }) => groups))].map((name) => ({ name })),
  users: users.map(({ email, emailVerified, password, groups = [] }) => ({
    username: email.split('@')[0],
    email,
    emailVerified,
    enabled: true,
    firstName: 'Test',
    lastName: 'User',
    credentials: [{ type: 'password', value: password }],
    groups,
  })),
});
