import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { nameIn, type StageSettings } from '../stages.ts';

interface StageLogsProps {
  stage: StageSettings;
  logGroupName: string;
}

/** The log group of the functions of a stack. */
export const logGroupOf = (stage: StageSettings, stack: 'api' | 'support' | 'events'): string =>
  `/${nameIn(stage)}/${stack}`;

/** A log group that many share, so that one query reads them all, and that keeps lines as long as the stage says. */
export class StageLogs extends LogGroup {
  constructor(scope: Construct, id: string, { stage, logGroupName }: StageLogsProps) {
    super(scope, id, {
      logGroupName,
      retention: stage.logDays,
      removalPolicy: removalPolicyOf(stage),
    });
  }
}

/**
 * What becomes of data when its stack lets go of it. What is protected stays, unless its own first deployment failed: then it
 * is empty, and its name would block the next.
 */
export const removalPolicyOf = (stage: StageSettings): RemovalPolicy =>
  stage.protected ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
