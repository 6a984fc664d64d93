import { type MessageFolder, messageChannels } from '../../shared/channels/channels.ts';

const messageFolders = Object.fromEntries(
  messageChannels.map(({ standIn: { folder } }) => [folder, folder]),
) as Record<MessageFolder, string>;

/** The files and folders in the data folder. The local service does not change other files there. */
export const contents = {
  table: 'table.db',
  tableLog: 'table.db-wal',
  tableMemory: 'table.db-shm',
  /** The data of DynamoDB Local, on platforms without the native engine. */
  dynamoDbLocal: 'dynamodb-local',
  /** The downloaded program of DynamoDB Local. */
  cache: 'cache',
  checkpoint: 'stream-checkpoint.json',
  credentials: 'credentials.json',
  signingSecret: 'signing-secret.json',
  dataKey: 'data-key.json',
  sealKey: 'seal-key.json',
  deadLetters: 'dead-letters',
  objects: 'objects',
  ...messageFolders,
  addresses: 'runner.json',
} as const;
