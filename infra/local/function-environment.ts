import { queueUrlVariable } from '../../shared/events/queues.ts';
import { environmentOf, type StageSettings } from '../stages.ts';
import type { Queues } from './queues.ts';

interface Parts {
  stage: StageSettings;
  tableName: string;
  tableEndpoint: string;
  /** Stands in for the secret in Secrets Manager. */
  secretFile: string;
  /** Stand in for the keys in KMS: that guards data keys, and that signs seals. */
  keyFile: string;
  sealKeyFile: string;
  bucketName: string;
  s3Endpoint: string;
  sesEndpoint: string;
  snsEndpoint: string;
  queues: Pick<Queues, 'endpoint' | 'queues' | 'relayDeadLetterUrl'>;
}

/** What the functions find in their environment: all that a deployment sets, and where the engines are. */
export function functionEnvironment(parts: Parts) {
  const {
    stage,
    tableName,
    tableEndpoint,
    secretFile,
    keyFile,
    sealKeyFile,
    bucketName,
    s3Endpoint,
    queues,
  } = parts;
  return {
    ...environmentOf(stage),
    TABLE_NAME: tableName,
    SECRET_FILE: secretFile,
    KEY_FILE: keyFile,
    SEAL_KEY_FILE: sealKeyFile,
    BUCKET_NAME: bucketName,
    AWS_ENDPOINT_URL_S3: s3Endpoint,
    AWS_ENDPOINT_URL_SESV2: parts.sesEndpoint,
    AWS_ENDPOINT_URL_SNS: parts.snsEndpoint,
    AWS_ENDPOINT_URL_DYNAMODB: tableEndpoint,
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    RELAY_DEAD_LETTER_URL: queues.relayDeadLetterUrl,
    ...Object.fromEntries(queues.queues.map(({ name, url }) => [queueUrlVariable(name), url])),
  };
}
