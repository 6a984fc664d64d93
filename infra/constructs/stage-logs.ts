import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';

interface StageLogsProps {
  stage: StageSettings;
  logGroupName: string;
}

/** A log group that many share, so that one query reads them all, and that keeps lines as long as the stage says. */
export class StageLogs extends LogGroup {
  constructor(scope: Construct, id: string, { stage, logGroupName }: StageLogsProps) {
    super(scope, id, {
      logGroupName,
      retention: stage.logDays,
      removalPolicy: stage.protected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
