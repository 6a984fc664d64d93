import { Aws, Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSchedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { metricNamespace } from '../../shared/events/emit-metric.ts';
import type { BundledSchedule } from '../build/manifest.ts';
import { scheduleStatements } from '../rights/event-rights.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import { BundledLambda } from './bundled-lambda.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { ExplainedAlarm } from './explained-alarm.ts';
import { type Arns, FunctionRole } from './function-role.ts';

interface ScheduledFunctionProps {
  stage: StageSettings;
  bundle: BundledSchedule;
  logGroup: ILogGroup;
  environment: Record<string, string>;
  arns: Arns;
  alarmTopic: ITopic;
}

/**
 * A function that EventBridge Scheduler invokes, with its dead-letter queue and alarms. If an invocation does not start
 * a run, AWS retries for one interval. A failed run becomes a dead letter, and the next run continues the work.
 */
export class ScheduledFunction extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stage, bundle, logGroup, environment, arns, alarmTopic }: ScheduledFunctionProps,
  ) {
    super(scope, id);
    const { schedule, every, timeoutSeconds, lag } = bundle;
    const { queue: deadLetters } = new DeadLetterQueue(this, 'DeadLetters', {
      stage,
      name: bundle.name,
      description: `A run of the schedule ${schedule} failed or did not start. The next run continues its work. If the next run fails too, look for errors in the log group of the events stack.`,
      alarmTopic,
    });
    const description = `Runs the schedule ${schedule}`;
    const lambda = new BundledLambda(this, 'Function', {
      stage,
      bundle,
      description,
      role: new FunctionRole(this, 'Role', {
        description,
        statements: scheduleStatements(bundle),
        arns: { ...arns, 'schedule-dead-letters': deadLetters.queueArn, logs: logGroup.logGroupArn },
      }),
      logGroup,
      timeout: Duration.seconds(timeoutSeconds),
      environment,
    });
    // Lambda sends failed runs to the dead-letter queue. EventBridge Scheduler sends the invocations that it could not
    // deliver to Lambda.
    lambda.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.minutes(every.minutes),
      onFailure: new SqsDestination(deadLetters),
    });
    const invoker = new Role(this, 'Invoker', {
      description: `EventBridge Scheduler calls the schedule ${schedule}`,
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
      inlinePolicies: {
        rights: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [lambda.functionArn] }),
            new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }),
          ],
        }),
      },
    });
    new CfnSchedule(this, 'Schedule', {
      name: nameIn(stage, schedule),
      description,
      scheduleExpression: ScheduleExpression.rate(Duration.minutes(every.minutes)).expressionString,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: lambda.functionArn,
        roleArn: invoker.roleArn,
        retryPolicy: { maximumEventAgeInSeconds: every.minutes * 60, maximumRetryAttempts: 3 },
        deadLetterConfig: { arn: deadLetters.queueArn },
      },
    });
    new ExplainedAlarm(this, 'Errors', {
      name: nameIn(stage, `${bundle.name}-errors`),
      description: `The schedule ${schedule} failed three times in five minutes. Its work is delayed until a run succeeds. Look for errors in the log group of the events stack.`,
      metric: lambda.metricErrors({ statistic: 'Sum', period: Duration.minutes(5) }),
      threshold: 3,
      alarmTopic,
    });
    if (lag)
      new ExplainedAlarm(this, 'Lag', {
        name: nameIn(stage, `${bundle.name}-lag`),
        description: `The schedule ${schedule} does its work at least ${lag.minutes} minutes late. Its runs fail or are too slow. Look for errors in the log group of the events stack.`,
        metric: emittedMetric(stage, lag.metric),
        threshold: Duration.minutes(lag.minutes).toSeconds(),
        alarmTopic,
      });
  }
}

/** A metric that functions emit with `emitMetric`, in seconds. */
export const emittedMetric = (stage: StageSettings, metricName: string): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { stage: stage.name },
    statistic: 'Maximum',
    period: Duration.minutes(1),
  });
