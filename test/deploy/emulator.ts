import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../infra/local/free-port.ts';
import { type LoggedProcess, startLogged } from '../harness/logged-process.ts';

/** AWS as MiniStack has it, on loopback. */
export interface Emulator extends LoggedProcess {
  endpoint: string;
  /** The whole environment of what is to speak to it: no profile and no credentials of this machine. */
  environment: Record<string, string>;
}

export const accountId = '000000000000';
export const region = 'us-east-1';
/** What calls are signed with: to the emulator the key is the account. */
export const credentials = { accessKeyId: accountId, secretAccessKey: 'test' };

/**
 * Starts an emulator that is empty, with a folder of its own for all that it writes. It runs functions by the node of the
 * PATH, as processes that end with it; it ends with `stop`, or with this process. With `judgesRights` it does what IAM does,
 * and takes TLS alone.
 */
export async function startEmulator({ judgesRights = false } = {}): Promise<Emulator> {
  const folder = mkdtempSync(join(tmpdir(), 'emulator-'));
  const log = join(folder, 'log');
  const port = await freePort();
  const endpoint = `${judgesRights ? 'https' : 'http'}://127.0.0.1:${port}`;
  const ofMachine = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
  const certificate = process.env.NODE_EXTRA_CA_CERTS ?? '';
  const environment = {
    ...ofMachine,
    NODE_EXTRA_CA_CERTS: certificate,
    // CDK's own way to name it.
    AWS_CA_BUNDLE: certificate,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL: endpoint,
    // CDK asks for it apart.
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
  const own = {
    ...ofMachine,
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    // It would open more ports.
    SFTP_ENABLED: '0',
    IOT_MTLS_ENABLED: '0',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    // Queues and buckets take nothing without TLS, which is judged then, too.
    ...(judgesRights && {
      AUTH: 'true',
      USE_SSL: '1',
      MINISTACK_SSL_CERT: certificate,
      MINISTACK_SSL_KEY: join(tmpdir(), 'key.pem'),
    }),
  };
  const ministack = process.env.MINISTACK;
  if (!ministack) throw new Error('MINISTACK names no program: npm run test:deploy installs one.');
  const started = { name: 'The emulator', log, environment: own, serves: /Running on http/, seconds: 60 };
  return { endpoint, environment, ...(await startLogged(started, ministack)) };
}
