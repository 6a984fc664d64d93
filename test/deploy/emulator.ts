import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../infra/administration/free-port.ts';
import { type LoggedProcess, startLogged } from '../harness/logged-process.ts';

/** MiniStack on loopback. */
export interface Emulator extends LoggedProcess {
  endpoint: string;
  /** The complete environment of client processes. Excludes this machine's AWS profile and credentials. */
  environment: Record<string, string>;
}

export const accountId = '000000000000';
export const region = 'us-east-1';
/** The emulator uses the access key id as the account id. */
export const credentials = { accessKeyId: accountId, secretAccessKey: 'test' };

/**
 * Starts an empty emulator with its own folder. The emulator runs functions as child processes with the `node` in
 * PATH, until `stop` is called or this process ends. With `enforcesIam` it enforces IAM policies and accepts only TLS.
 */
export async function startEmulator({
  enforcesIam = false,
  program = process.env.MINISTACK,
} = {}): Promise<Emulator> {
  const folder = mkdtempSync(join(tmpdir(), 'emulator-'));
  const log = join(folder, 'log');
  const port = await freePort();
  const endpoint = `${enforcesIam ? 'https' : 'http'}://127.0.0.1:${port}`;
  const common = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
  const certificate = process.env.NODE_EXTRA_CA_CERTS ?? '';
  const environment = {
    ...common,
    NODE_EXTRA_CA_CERTS: certificate,
    // CDK reads the path of the certificate from this variable.
    AWS_CA_BUNDLE: certificate,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL: endpoint,
    // CDK also requires the endpoint of S3.
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
  const own = {
    ...common,
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    // Disables servers that are not needed and would open more ports.
    SFTP_ENABLED: '0',
    IOT_MTLS_ENABLED: '0',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    // The policies of queues and buckets require TLS.
    ...(enforcesIam && {
      AUTH: 'true',
      USE_SSL: '1',
      // The front API calls the other APIs of the stage, and Python must accept their certificate.
      SSL_CERT_FILE: certificate,
      // A test calls every endpoint, and each has a process of its own until it is idle for this time.
      LAMBDA_WARM_TTL_SECONDS: '30',
      MINISTACK_SSL_CERT: certificate,
      MINISTACK_SSL_KEY: join(tmpdir(), 'key.pem'),
    }),
  };
  if (!program) throw new Error('MINISTACK is not set. Run npm run test:extra -- deploy.');
  const started = { name: 'The emulator', log, environment: own, serves: /Running on http/, seconds: 60 };
  return { endpoint, environment, ...(await startLogged(started, program)) };
}
