import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { SQSClient } from '@aws-sdk/client-sqs';
import { routing } from '../../events/routing.ts';
import { accountKey } from '../../shared/accounts/keys.ts';
import { type AccountId, asAccountId } from '../../shared/id/account-id.ts';
import { type AccessKey, writeAddresses } from '../administration/addresses.ts';
import { CannotStart } from '../administration/cannot-start.ts';
import { type LocalCredentials, readCredentials, writeCredentials } from '../administration/credentials.ts';
import type { Manifest } from '../build/manifest.ts';
import type { OnActivity } from './activity.ts';
import { startBucket } from './bucket.ts';
import { bundles } from './bundles.ts';
import { activityEndpoints } from './console/activity-endpoints.ts';
import { createConsole } from './console/console.ts';
import { demoDataEndpoints } from './console/demo-data.ts';
import { createFrames } from './console/frames.ts';
import { homeEndpoints } from './console/home.ts';
import { liveUpdates } from './console/live-updates.ts';
import { mailboxEndpoints } from './console/mailbox-endpoints.ts';
import { queueEndpoints } from './console/queue-endpoints.ts';
import { receiverEndpoints } from './console/receiver-endpoints.ts';
import { createRecorder } from './console/recorder.ts';
import { scheduleEndpoints } from './console/schedule-endpoints.ts';
import { uploadEndpoints } from './console/upload-endpoints.ts';
import { openDataFolder, temporaryDataFolder } from './data-folder.ts';
import { startDeletingExpired } from './delete-expired.ts';
import { engineDoor } from './door.ts';
import { startEventSources } from './event-sources.ts';
import { functionEnvironment } from './function-environment.ts';
import { startFunctionWorkers } from './function-workers.ts';
import { requireFreePort, startGateway } from './gateway.ts';
import { greeting } from './greeting.ts';
import { requireKeyFile, requireSealKeyFile, requireSigningSecret } from './key-file.ts';
import type { ServiceLog } from './log.ts';
import { startMailServer } from './mail-server.ts';
import { mailboxVariables, startMailbox } from './mailbox.ts';
import { startQueues } from './queues.ts';
import { type ScheduleClock, startScheduleClock } from './schedule-clock.ts';
import { resourcePrefix, type Settings } from './settings.ts';
import { startTableEngine } from './table-engine.ts';

interface Runner {
  greeting: string;
  /** Resolves with an error message if the DynamoDB engine ends unexpectedly. */
  broken: Promise<string>;
  /** Stops all parts, in the reverse order of their start. */
  stop(): Promise<void>;
}

type Stop = () => Promise<void>;

/**
 * Starts the functions with embedded engines behind a local gateway. After an error, stops all started parts.
 * Throws CannotStart if the error has an external cause.
 */
export async function startRunner(settings: Settings, log: ServiceLog): Promise<Runner> {
  const stops: Stop[] = [];
  const stop = async () => {
    for (let next = stops.pop(); next; next = stops.pop()) await next();
  };
  try {
    return { ...(await startParts(settings, log, (part) => stops.push(part))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(
  settings: Settings,
  log: ServiceLog,
  onStop: (stop: Stop) => void,
): Promise<Omit<Runner, 'stop'>> {
  const folder = settings.ephemeral ? temporaryDataFolder() : await openDataFolder(settings.dataFolder);
  onStop(folder.close);
  // All fast checks run before the slow parts start.
  const credentialsPath = folder.path('credentials');
  const stored = readCredentials(credentialsPath);
  const files = {
    secretFile: folder.path('signingSecret'),
    keyFile: folder.path('dataKey'),
    sealKeyFile: folder.path('sealKey'),
  };
  requireSigningSecret(files.secretFile);
  requireKeyFile(files.keyFile);
  requireSealKeyFile(files.sealKeyFile);
  await requireFreePort(settings.port);

  const live = liveUpdates();
  const recorder = createRecorder((update) => live.publish('activity', update));
  // Logs and records an activity later, so that a response is sent first. `setImmediate` keeps the order of
  // activities.
  const onActivity: OnActivity = (activity) =>
    void setImmediate(() => {
      log.onActivity(activity);
      recorder.onActivity(activity);
    });
  const { key, isOwn } = chooseAccessKey(settings);
  const door = engineDoor({ key, region: settings.region });
  const engine = await startTableEngine(settings, folder, door);
  onStop(engine.stop);
  const queues = await startQueues({
    endpoint: settings.sqsEndpoint,
    prefix: resourcePrefix(settings.tableName),
    door,
  });
  onStop(queues.stop);
  const bucket = await startBucket(settings, folder.path('objects'), key);
  onStop(bucket.stop);
  const mailbox = await startMailbox({
    folder: folder.path,
    onMessage: (message) => onActivity({ type: 'message', ...message }),
    door,
    relay: settings.smtpRelay,
  });
  onStop(mailbox.stop);
  const { stage, tableName, bucketName } = settings;
  Object.assign(
    process.env,
    functionEnvironment({
      stage,
      tableName,
      tableEndpoint: engine.endpoint,
      ...files,
      bucketName,
      s3Endpoint: bucket.endpoint,
      messageServices: { ...mailboxVariables(mailbox.endpoint), ...settings.messageServices },
      queues,
    }),
  );

  if (!stored) await requireUnusedTable(settings);
  const { manifest, folder: bundleFolder } = await bundles();
  const workers = startFunctionWorkers({
    folder: bundleFolder,
    signsTableRequests: !engine.isOpen,
    onInvocation: (invocation) => onActivity({ type: 'invocation', ...invocation }),
    onLine: log.onLine,
  });
  onStop(workers.stop);
  // The visibility timeout of a queue is one second longer than this timeout of its consumer. In this second,
  // the poller deletes the handled messages.
  const consumerOf = ({ name, queue }: Manifest['consumers'][number]) =>
    workers.background(name, (routing[queue].timeoutSeconds - 1) * 1000);
  const account = await requireAccount(stored);
  const eventSources = startEventSources({
    stream: engine.stream,
    queues,
    relay: workers.background(manifest.relay.name),
    consumers: new Map(manifest.consumers.map((consumer) => [consumer.queue, consumerOf(consumer)])),
    deadLetterFolder: folder.path('deadLetters'),
    checkpointPath: folder.path('checkpoint'),
  });
  onStop(eventSources.stop);
  if (settings.dynamoDbEndpoint === undefined)
    onStop(startDeletingExpired({ endpoint: engine.endpoint, tableName }).stop);
  const routes = manifest.endpoints.map(({ name, contract }) => ({
    ...contract,
    invoke: workers.endpoint(name),
  }));
  const home = { credentials: { ...account, baseUrl: '' }, dataFolder: dataOf(settings) };
  const sqs = new SQSClient({ endpoint: queues.endpoint });
  onStop(async () => sqs.destroy());
  const mailServer = await startMailServer({ port: settings.smtpPort, sqs });
  onStop(mailServer.stop);
  const parts = {
    account: account.accountId as AccountId,
    table: engine.endpoint,
    bucket: bucket.endpoint,
    mailbox: mailbox.endpoint,
    queues,
    sqs,
    deadLetterFolder: folder.path('deadLetters'),
    waitingSince: eventSources.waitingSince,
  };
  const frames = createFrames();
  const site = await createConsole(
    [
      homeEndpoints(home, parts),
      demoDataEndpoints(home.credentials, mailServer.port, (state) => live.publish('demo', state)),
      activityEndpoints(recorder),
      mailboxEndpoints(folder.path, frames),
      receiverEndpoints({
        credentials: home.credentials,
        changed: () => live.publish('receiver', {}),
      }),
      uploadEndpoints(bucket.endpoint),
      queueEndpoints(parts),
      scheduleEndpoints(() => clock),
    ],
    { frames, live },
  );
  const gateway = await startGateway({
    site,
    port: settings.port,
    routes,
    corsOrigins: settings.corsOrigins,
    onExchange: (exchange) => onActivity({ type: 'exchange', ...exchange }),
  });
  onStop(gateway.stop);
  onStop(site.stop);
  home.credentials.baseUrl = gateway.baseUrl;
  const clock: ScheduleClock = startScheduleClock(
    manifest.schedules.map((bundled) => {
      const { schedule: name, every, timeoutSeconds } = bundled;
      return {
        name,
        every: every.minutes * 60_000,
        invoke: workers.background(bundled.name, timeoutSeconds * 1000),
      };
    }),
  );
  onStop(clock.stop);

  const addressesPath = folder.path('addresses');
  writeAddresses(addressesPath, {
    region: settings.region,
    ...(isOwn && { accessKey: key }),
    tableName,
    dynamoDb: engine.door,
    sqs: queues.endpoint,
    s3: bucket.endpoint,
    bucketName,
    smtpPort: mailServer.port,
    queues: queues.queues,
    relayDeadLetterUrl: queues.relayDeadLetterUrl,
  });
  onStop(async () => rmSync(addressesPath, { force: true }));

  const { credentials } = home;
  if (JSON.stringify(credentials) !== JSON.stringify(stored)) writeCredentials(credentialsPath, credentials);
  return {
    greeting: greeting(credentials, site.token, dataOf(settings), mailServer.port),
    broken: engine.exited.then(
      (output) => `The DynamoDB engine has ended unexpectedly: ${output || 'no error output'}.`,
    ),
  };
}

const dataOf = ({ ephemeral, dataFolder }: Settings): string =>
  ephemeral ? 'in memory, deleted when the service stops' : dataFolder;

/**
 * Creates the access key of this start, and sets it in the environment of all AWS clients. The secret is random. The id
 * is always the same, because DynamoDB Local has a database for each id. If the settings contain the endpoint of a
 * DynamoDB, SQS or S3 that may need the credentials of the environment, uses these credentials. `isOwn` is then false.
 */
function chooseAccessKey({ dynamoDbEndpoint, sqsEndpoint, s3Endpoint, region }: Settings): {
  key: AccessKey;
  isOwn: boolean;
} {
  process.env.AWS_REGION = region;
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: given = '' } = process.env;
  if ((dynamoDbEndpoint ?? sqsEndpoint ?? s3Endpoint) && AWS_ACCESS_KEY_ID)
    return { key: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: given }, isOwn: false };
  const key = { accessKeyId: 'local', secretAccessKey: randomBytes(30).toString('base64url') };
  process.env.AWS_ACCESS_KEY_ID = key.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = key.secretAccessKey;
  delete process.env.AWS_SESSION_TOKEN;
  delete process.env.AWS_PROFILE;
  return { key, isOwn: true };
}

const adminEmail = 'admin@example.com';

/**
 * Throws CannotStart if the table was created with another data folder. Only that folder contains the keys that decrypt
 * the table's values.
 */
async function requireUnusedTable({ dynamoDbEndpoint, tableName }: Settings): Promise<void> {
  if (dynamoDbEndpoint === undefined) return;
  const { users } = await import('../../shared/people/users/store.ts');
  if (await users.addressByEmailAcrossAccounts(adminEmail))
    throw new CannotStart(
      `The table "${tableName}" at ${dynamoDbEndpoint} belongs to another data folder, which contains the table's keys. Set DATA_DIR to that folder, or TABLE_NAME to a new name.`,
    );
}

/** Returns the account of an earlier start if the table contains that account. Otherwise creates an account. */
async function requireAccount(
  stored: LocalCredentials | undefined,
): Promise<Omit<LocalCredentials, 'baseUrl'>> {
  const { getItem } = await import('../../shared/table/read.ts');
  const id = stored && asAccountId(stored.accountId);
  if (stored && id && (await getItem(accountKey(id)))) return stored;
  const { createAccount } = await import('../administration/create-account.ts');
  return createAccount({
    name: 'Local account',
    adminEmail,
    adminPassword: randomBytes(15).toString('base64url'),
  });
}
