import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { tableDefinition } from '../../shared/table/definition.ts';
import { nameIn, type StageSettings } from '../stages.ts';
import { ExplainedAlarm } from './explained-alarm.ts';

/** In five minutes. Single ones are normal while a table splits a partition, and are retried. */
const manyThrottles = 100;

interface TableAlarmsProps {
  stage: StageSettings;
  tableName: string;
  alarmTopic: ITopic;
}

/** Whether the table, and each of its indexes, takes all reads and writes. */
export class TableAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, tableName, alarmTopic }: TableAlarmsProps) {
    super(scope, id);
    for (const index of [undefined, ...tableDefinition.indexes.map(({ name }) => name)])
      for (const kind of ['read', 'write'] as const) {
        const what = index === undefined ? 'table' : `index-${index}`;
        const called = index === undefined ? 'The table' : `The index ${index} of the table`;
        new ExplainedAlarm(this, `${what}-${kind}`, {
          name: nameIn(stage, `${what}-${kind}-throttles`),
          meaning: `${called} refused ${manyThrottles} ${kind}s in five minutes: it is at maxReadRequestUnits or maxWriteRequestUnits, or one partition is. Requests wait, and get a 503 after 10 s.`,
          metric: throttleMetric({ tableName, index, kind }),
          threshold: manyThrottles,
          alarmTopic,
        });
      }
  }
}

/** How many reads or writes the table, or an index of it, refused in five minutes. */
export const throttleMetric = ({
  tableName,
  index,
  kind,
}: {
  tableName: string;
  index?: string;
  kind: 'read' | 'write';
}): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName: kind === 'read' ? 'ReadThrottleEvents' : 'WriteThrottleEvents',
    dimensionsMap: {
      TableName: tableName,
      ...(index !== undefined && { GlobalSecondaryIndexName: index }),
    },
    statistic: 'Sum',
    period: Duration.minutes(5),
  });
