import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { nameIn, type StageSettings } from '../stages.ts';
import { removalPolicyOf } from './removal-policy.ts';

interface StageLogsProps {
  stage: StageSettings;
  logGroupName: string;
}

export const logGroupOf = (stage: StageSettings, stack: string): string => `/${nameIn(stage)}/${stack}`;

/**
 * The log group of the requests to all APIs. With this prefix, API Gateway does not add each log group to a CloudWatch
 * resource policy, whose size is limited: docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
 */
export const accessLogsOf = (stage: StageSettings): string => `/aws/vendedlogs/${nameIn(stage)}/access`;

/** A log group shared by many functions, so that one query reads all of their logs. */
export class StageLogs extends LogGroup {
  constructor(scope: Construct, id: string, { stage, logGroupName }: StageLogsProps) {
    super(scope, id, {
      logGroupName,
      retention: stage.logDays,
      removalPolicy: removalPolicyOf(stage),
    });
  }
}
