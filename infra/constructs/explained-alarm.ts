import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

interface ExplainedAlarmProps {
  name: string;
  /** A sentence for whoever is woken by it: what has happened and where to look. */
  meaning: string;
  metric: IMetric;
  /** The alarm sounds when one period of the metric reaches this. */
  threshold: number;
  /** It sounds, too, when a period has no value: of what something measures all the time. */
  soundsWithout?: true;
  /** It stays as it is while a period has too few values for its percentile. */
  ignoresFewValues?: true;
  alarmTopic: ITopic;
}

/** An alarm that says what it means, and goes to the topic that people read. */
export class ExplainedAlarm extends Alarm {
  constructor(
    scope: Construct,
    id: string,
    { name, meaning, metric, threshold, soundsWithout, ignoresFewValues, alarmTopic }: ExplainedAlarmProps,
  ) {
    super(scope, id, {
      alarmName: name,
      alarmDescription: meaning,
      metric,
      threshold,
      evaluationPeriods: 1,
      evaluateLowSampleCountPercentile: ignoresFewValues && 'ignore',
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // Where nothing happens there is nothing to measure.
      treatMissingData: soundsWithout ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    this.addAlarmAction(new SnsAction(alarmTopic));
  }
}
