import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

interface ExplainedAlarmProps {
  name: string;
  /** Describes the problem and the next step for the operator on call. */
  description: string;
  metric: IMetric;
  /** One period at or above the threshold raises the alarm. */
  threshold: number;
  /** If true, a period without data also raises the alarm. Use only with metrics published in every period. */
  missingDataBreaches?: true;
  /** If true, the alarm keeps its state in a period with too few values for the percentile. */
  ignoresFewValues?: true;
  alarmTopic: ITopic;
}

/** An alarm with a description for operators, sent to the alarm topic. */
export class ExplainedAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: ExplainedAlarmProps) {
    super(scope, id, {
      alarmName: props.name,
      alarmDescription: props.description,
      metric: props.metric,
      threshold: props.threshold,
      evaluationPeriods: 1,
      evaluateLowSampleCountPercentile: props.ignoresFewValues && 'ignore',
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: props.missingDataBreaches
        ? TreatMissingData.BREACHING
        : TreatMissingData.NOT_BREACHING,
    });
    this.addAlarmAction(new SnsAction(props.alarmTopic));
  }
}
