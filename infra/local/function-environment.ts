import { queueUrlVariable } from '../../shared/events/queues.ts';
import { environmentOf, type StageSettings } from '../stages.ts';
import type { Queues } from './queues.ts';

interface LocalResources {
  stage: StageSettings;
  tableName: string;
  tableEndpoint: string;
  /** This file replaces the secret in Secrets Manager. */
  secretFile: string;
  /** These files replace the KMS keys that encrypt data keys and sign seals. */
  keyFile: string;
  sealKeyFile: string;
  bucketName: string;
  s3Endpoint: string;
  /** The variables with the addresses of the services that send messages. */
  messageServices: Readonly<Record<string, string>>;
  queues: Pick<Queues, 'endpoint' | 'queues' | 'relayDeadLetterUrl'>;
}

/** The functions' environment variables: the variables of a deployment, and the addresses of the engines. */
export const functionEnvironment = ({ stage, queues, ...resources }: LocalResources) => ({
  ...environmentOf(stage),
  TABLE_NAME: resources.tableName,
  SECRET_FILE: resources.secretFile,
  KEY_FILE: resources.keyFile,
  SEAL_KEY_FILE: resources.sealKeyFile,
  BUCKET_NAME: resources.bucketName,
  AWS_ENDPOINT_URL_S3: resources.s3Endpoint,
  ...resources.messageServices,
  AWS_ENDPOINT_URL_DYNAMODB: resources.tableEndpoint,
  AWS_ENDPOINT_URL_SQS: queues.endpoint,
  RELAY_DEAD_LETTER_URL: queues.relayDeadLetterUrl,
  ...Object.fromEntries(queues.queues.map(({ name, url }) => [queueUrlVariable(name), url])),
});
