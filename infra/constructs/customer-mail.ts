import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  CfnConfigurationSetEventDestination,
  CfnReceiptRule,
  ConfigurationSet,
  ConfigurationSetTlsPolicy,
  ReceiptRuleSet,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { bucketRules } from '../bucket-rules.ts';
import { mailNameOf, type StageSettings } from '../stages.ts';

interface CustomerMailProps {
  stage: StageSettings;
  /** The domain at which the service receives mail. */
  domain: string;
  bucketName: string;
  /** The queue of the notifications about received mail, and about the delivery of sent mail. */
  queue: IQueue;
}

/**
 * Mail with customers. SES stores received mail in the bucket, and publishes its notification to a topic. It publishes
 * bounces, complaints and other outcomes of sent mail to the same topic. The topic sends both to one queue.
 */
export class CustomerMail extends Construct {
  constructor(scope: Construct, id: string, { stage, domain, bucketName, queue }: CustomerMailProps) {
    super(scope, id);
    const name = mailNameOf(stage);
    const topic = new Topic(this, 'Topic', { topicName: name, enforceSSL: true });
    // The body of a message is the JSON of SES, without the envelope of SNS.
    topic.addSubscription(new SqsSubscription(queue, { rawMessageDelivery: true }));
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'NotificationsOfMail',
        principals: [new ServicePrincipal('ses.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: {
          StringEquals: {
            'aws:SourceAccount': Stack.of(this).account,
            'aws:SourceArn': [
              receiptRuleArn(Stack.of(this), stage),
              configurationSetArn(Stack.of(this), stage),
            ],
          },
        },
      }),
    );
    const sent = new ConfigurationSet(this, 'Sent', {
      configurationSetName: name,
      reputationMetrics: true,
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
      // Servers without TLS still receive mail, because a support answer that never arrives is worse.
      tlsPolicy: ConfigurationSetTlsPolicy.OPTIONAL,
    });
    const outcomes = new CfnConfigurationSetEventDestination(this, 'Outcomes', {
      configurationSetName: sent.configurationSetName,
      eventDestination: {
        name: 'outcomes',
        enabled: true,
        matchingEventTypes: ['bounce', 'complaint', 'delivery', 'reject'],
        snsDestination: { topicArn: topic.topicArn },
      },
    });
    // SES publishes a test message when it creates the destination, so the topic's policy must exist.
    outcomes.node.addDependency(topic);
    if (!stage.emulator) this.addReceiptRule(name, domain, bucketName, topic);
  }

  /** Emulators do not support receipt rules. */
  private addReceiptRule(name: string, domain: string, bucketName: string, topic: Topic): void {
    const rules = new ReceiptRuleSet(this, 'Received', { receiptRuleSetName: name });
    const rule = new CfnReceiptRule(this, 'Rule', {
      ruleSetName: rules.receiptRuleSetName,
      rule: {
        name,
        enabled: true,
        recipients: [domain],
        scanEnabled: true,
        // A public mail server must not require STARTTLS (RFC 3207, section 4): it would lose mail of servers without it.
        tlsPolicy: 'Optional',
        actions: [
          {
            s3Action: {
              bucketName,
              objectKeyPrefix: bucketRules.mail.prefix,
              topicArn: topic.topicArn,
            },
          },
        ],
      },
    });
    rule.node.addDependency(topic);
  }
}

/** The ARN of the receipt rule of a stage. SES sends it to the bucket, the key and the topic. */
export const receiptRuleArn = (stack: Stack, stage: StageSettings): string =>
  stack.formatArn({
    service: 'ses',
    resource: 'receipt-rule-set',
    resourceName: `${mailNameOf(stage)}:receipt-rule/${mailNameOf(stage)}`,
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });

/** The ARN of the configuration set with which mail is sent to customers. */
const configurationSetArn = (stack: Stack, stage: StageSettings): string =>
  stack.formatArn({ service: 'ses', resource: 'configuration-set', resourceName: mailNameOf(stage) });
