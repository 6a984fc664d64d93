import { beforeAll, expect, test } from 'vitest';
import { stageNamed } from '../../infra/stages.ts';
import { builtManifest, deploymentOf, resources } from '../harness/deployment.ts';
import released from './released-table.json' with { type: 'json' };

/** The parts of a table that AWS does not change, or changes one at a time. A release writes them to `released-table.json`. */
interface Table {
  keys: string;
  stream: string;
  /** The keys and the projection of each index. */
  indexes: Record<string, string>;
}

interface KeySchema {
  KeySchema: { AttributeName: string }[];
}
interface GlobalTable extends KeySchema {
  StreamSpecification: { StreamViewType: string };
  GlobalSecondaryIndexes: (KeySchema & { IndexName: string; Projection: { ProjectionType: string } })[];
}

/**
 * Returns the reasons for which AWS rejects an update of the table, or loses data. CloudFormation adds or removes one index
 * in an update, and replaces neither keys nor projections (AWS::DynamoDB::GlobalTable, "GlobalSecondaryIndexes"). A stream
 * with another type is a new stream, so the relay would miss the records of the old one.
 */
function rejectedChanges(before: Table, after: Table): string[] {
  const names = Object.keys({ ...before.indexes, ...after.indexes });
  const kept = names.filter((name) => name in before.indexes && name in after.indexes);
  const added = names.filter((name) => !(name in before.indexes));
  const removed = names.filter((name) => !(name in after.indexes));
  return [
    ...(before.keys === after.keys ? [] : ['the keys of the table change']),
    ...(before.stream === after.stream ? [] : ['the type of the stream changes']),
    ...kept
      .filter((name) => before.indexes[name] !== after.indexes[name])
      .map((name) => `the keys or the projection of the index ${name} change`),
    ...(added.length + removed.length > 1
      ? [`${[...added, ...removed].join(', ')}: one index per release`]
      : []),
  ];
}

const keysOf = ({ KeySchema }: KeySchema): string =>
  KeySchema.map(({ AttributeName }) => AttributeName).join('+');

let current: Table;

beforeAll(async () => {
  const { data } = deploymentOf(stageNamed('prod'), { ...(await builtManifest()), endpoints: [] });
  const [[, table] = []] = resources<GlobalTable>(data, 'AWS::DynamoDB::GlobalTable');
  if (!table) throw new Error('The stack data has no table.');
  current = {
    keys: keysOf(table),
    stream: table.StreamSpecification.StreamViewType,
    indexes: Object.fromEntries(
      table.GlobalSecondaryIndexes.map((index) => [
        index.IndexName,
        `${keysOf(index)} ${index.Projection.ProjectionType}`,
      ]),
    ),
  };
});

test('AWS accepts the change of the table since the last release', () => {
  expect(rejectedChanges(released, current)).toEqual([]);
});

test('a change of two indexes, of keys, of a projection or of the stream is rejected', () => {
  const { list, ...others } = current.indexes;
  const changed = (change: Partial<Table>) => rejectedChanges(current, { ...current, ...change });
  expect(changed({ indexes: others })).toEqual([]);
  expect(changed({ indexes: { ...current.indexes, more: 'morePk+moreSk ALL' } })).toEqual([]);
  expect(changed({ indexes: { ...others, more: 'morePk+moreSk ALL' } })).toHaveLength(1);
  expect(changed({ indexes: { ...others, list: `${list?.split(' ')[0]} KEYS_ONLY` } })).toHaveLength(1);
  expect(changed({ keys: 'pk' })).toHaveLength(1);
  expect(changed({ stream: 'NEW_IMAGE' })).toHaveLength(1);
});
