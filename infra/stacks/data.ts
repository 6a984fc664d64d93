import { Aws, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { tableDefinition } from '../../shared/table/definition.ts';
import { bucketRules } from '../bucket-rules.ts';
import { receiptRuleArn } from '../constructs/customer-mail.ts';
import type { Arns } from '../constructs/function-role.ts';
import { removalPolicyOf } from '../constructs/removal-policy.ts';
import { bucketOf, dataKeyAliasOf, nameIn, type StageSettings, sealKeyAliasOf, tableOf } from '../stages.ts';

interface DataProps extends StackProps {
  stage: StageSettings;
}

/** The permanent data (table, files, secret and their keys), and the topic of the alarms. */
export class DataStack extends Stack {
  readonly tableName: string;
  readonly streamArn: string;
  readonly secretName: string;
  /** The aliases of the KMS keys. Unlike ARNs, aliases are known before the deployment. */
  readonly dataKeyAlias: string;
  readonly sealKeyAlias: string;
  readonly bucketName: string;
  /** The ARNs of this stack's resources, for functions of other stacks. */
  readonly arns: Arns;
  readonly alarmTopic: Topic;

  constructor(scope: Construct, id: string, { stage, ...props }: DataProps) {
    super(scope, id, props);
    const removalPolicy = removalPolicyOf(stage);
    const { maxReadRequestUnits, maxWriteRequestUnits } = stage;
    const most = { maxReadRequestUnits, maxWriteRequestUnits };

    const table = new TableV2(this, 'Table', {
      tableName: nameIn(stage),
      partitionKey: text(tableDefinition.partitionKey),
      sortKey: text(tableDefinition.sortKey),
      globalSecondaryIndexes: tableDefinition.indexes.map(({ name, partitionKey, sortKey, projection }) => ({
        indexName: name,
        partitionKey: text(partitionKey),
        sortKey: text(sortKey),
        projectionType: ProjectionType[projection],
        maxReadRequestUnits,
        // A changed index key costs two writes, the deletion of the old entry and the new entry (Amazon DynamoDB Developer
        // Guide, "Using Global Secondary Indexes"). With the table's limit, such changes would stop at half of that limit.
        maxWriteRequestUnits: maxWriteRequestUnits && 2 * maxWriteRequestUnits,
      })),
      timeToLiveAttribute: tableDefinition.ttl,
      dynamoStream: StreamViewType[tableDefinition.stream],
      billing: Billing.onDemand(most),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stage.deletionProtection,
      removalPolicy,
    });

    const key = new Key(this, 'Key', {
      alias: nameIn(stage),
      description: `Encrypts the secrets of ${nameIn(stage)}`,
      enableKeyRotation: true,
      removalPolicy,
    });

    // The name must not end with a hyphen and six characters, as in `x-secret`. AWS appends a hyphen and six
    // characters to the name in the ARN, so the end of the name would be ambiguous.
    this.secretName = nameIn(stage, 'keyring');
    const secret = new Secret(this, 'Keyring', {
      secretName: this.secretName,
      description:
        'Signs session tokens and request fingerprints. See shared/security/keyring.ts for the format.',
      encryptionKey: key,
      // Do not change these options: a change generates a new secret, which ends all sessions.
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ kids: ['1'] }),
        generateStringKey: '1',
        passwordLength: 64,
        excludePunctuation: true,
      },
      removalPolicy,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Rotation is manual: add a new key first, and remove the old key when its sessions have ended.',
    });

    // A separate key, so that a function with the right to use this key cannot decrypt other data, such as the
    // keyring.
    this.dataKeyAlias = dataKeyAliasOf(stage);
    const dataKey = new Key(this, 'DataKey', {
      alias: this.dataKeyAlias,
      description: `Encrypts the data keys of the accounts of ${nameIn(stage)}`,
      enableKeyRotation: true,
      removalPolicy,
    });
    // Signs the seals of event logs. KMS cannot rotate asymmetric keys, so one public key verifies all seals.
    this.sealKeyAlias = sealKeyAliasOf(stage);
    const sealKey = new Key(this, 'SealKey', {
      alias: this.sealKeyAlias,
      description: `Signs the seals of the event logs of ${nameIn(stage)}`,
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy,
    });
    this.bucketName = bucketOf(stage, Aws.ACCOUNT_ID, Aws.REGION);
    const filesKey = new Key(this, 'FilesKey', {
      alias: nameIn(stage, 'files'),
      description: `Encrypts the files of ${nameIn(stage)}`,
      enableKeyRotation: true,
      removalPolicy,
    });
    const files = new Bucket(this, 'Files', {
      bucketName: this.bucketName,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      encryption: BucketEncryption.KMS,
      encryptionKey: filesKey,
      bucketKeyEnabled: true,
      versioned: true,
      lifecycleRules: [
        {
          id: 'delete-incomplete-uploads',
          prefix: bucketRules.incoming.prefix,
          expiration: Duration.days(bucketRules.incoming.days),
          noncurrentVersionExpiration: Duration.days(bucketRules.incoming.days),
        },
        {
          id: 'delete-received-mails',
          prefix: bucketRules.mail.prefix,
          expiration: Duration.days(bucketRules.mail.days),
          noncurrentVersionExpiration: Duration.days(1),
        },
        {
          id: 'delete-exports',
          prefix: bucketRules.exports.prefix,
          expiration: Duration.days(bucketRules.exports.days),
          noncurrentVersionExpiration: Duration.days(1),
        },
        {
          id: 'delete-noncurrent-versions',
          noncurrentVersionExpiration: Duration.days(bucketRules.noncurrentDays),
          expiredObjectDeleteMarker: true,
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
      cors:
        stage.allowedOrigins.length === 0
          ? []
          : [
              {
                allowedOrigins: [...stage.allowedOrigins],
                allowedMethods: bucketRules.cors.methods.map((method) => HttpMethods[method]),
                allowedHeaders: [...bucketRules.cors.requestHeaders],
                exposedHeaders: [...bucketRules.cors.responseHeaders],
                maxAge: bucketRules.cors.maxAgeSeconds,
              },
            ],
      removalPolicy,
    });
    Validations.of(files).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Files are accessible only by URLs that the API signs. The API records each signed URL as an event.',
    });

    const filesArn = `arn:${Aws.PARTITION}:s3:::${this.bucketName}`;
    if (stage.mailDomain !== undefined) allowReceivedMails(stage, files, filesKey);
    const used = this.usedTable(table, stage);
    this.tableName = used.name;
    this.streamArn = used.streamArn;
    this.arns = {
      table: used.arn,
      ...Object.fromEntries(
        tableDefinition.indexes.map(({ name }) => [`table/index/${name}`, `${used.arn}/index/${name}`]),
      ),
      'table/stream': used.streamArn,
      keyring: secret.secretArn,
      'keyring-key': key.keyArn,
      'data-key': dataKey.keyArn,
      'seal-key': sealKey.keyArn,
      // This ARN is built from the bucket's name, so that cdk-nag sees the same text in every stack.
      files: filesArn,
      'files/incoming': `${filesArn}/incoming/*`,
      'files/documents': `${filesArn}/documents/*`,
      'files/exports': `${filesArn}/exports/*`,
      'files/mail': `${filesArn}/${bucketRules.mail.prefix}*`,
      'files-key': filesKey.keyArn,
    };

    this.alarmTopic = new Topic(this, 'Alarms', { topicName: nameIn(stage, 'alarms'), enforceSSL: true });
    // enforceSSL replaces the topic's default policy, so CloudWatch needs this statement to publish.
    this.alarmTopic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        effect: Effect.ALLOW,
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.alarmTopic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    for (const address of stage.alarmEmails ?? [])
      this.alarmTopic.addSubscription(new EmailSubscription(address));
  }

  /**
   * Returns the table that functions use. If a restored table is used, this stack must still export the ARNs
   * of the table that it created: the other stacks import them until their next deployment.
   */
  private usedTable({ tableArn, tableStreamArn }: TableV2, stage: StageSettings) {
    const { restoredTable: restored } = stage;
    if (!tableStreamArn) throw new Error('The table has no stream for the relay to read.');
    const name = tableOf(stage);
    if (!restored) return { name, arn: tableArn, streamArn: tableStreamArn };
    for (const value of [tableArn, tableStreamArn]) this.exportValue(value);
    return {
      name,
      streamArn: restored.streamArn,
      arn: this.formatArn({ service: 'dynamodb', resource: 'table', resourceName: name }),
    };
  }
}

/**
 * Allows the receipt rule of the stage to store mail in the bucket, which encrypts it (Amazon SES Developer Guide, "Giving
 * permissions to Amazon SES for email receiving"). The actions for the key are those of S3 with a key of KMS.
 */
function allowReceivedMails(stage: StageSettings, files: Bucket, key: Key): void {
  const statement = (actions: string[], resource: string) =>
    new PolicyStatement({
      sid: 'ReceivedMails',
      principals: [new ServicePrincipal('ses.amazonaws.com')],
      actions,
      resources: [resource],
      conditions: {
        StringEquals: {
          'aws:SourceAccount': Aws.ACCOUNT_ID,
          'aws:SourceArn': receiptRuleArn(Stack.of(files), stage),
        },
      },
    });
  files.addToResourcePolicy(statement(['s3:PutObject'], files.arnForObjects(`${bucketRules.mail.prefix}*`)));
  // In a key policy, `*` is the key.
  key.addToResourcePolicy(statement(['kms:GenerateDataKey*', 'kms:Decrypt'], '*'));
}

const text = (name: string) => ({ name, type: AttributeType.STRING });
