import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest test files, in the order in which they start, so that none of them runs last on one worker while the others
 * are idle. The first one builds the bundles, which the other programs of ours then find.
 */
const slowest = [
  'hearing',
  'faults',
  'dry-runs',
  'errors',
  'runner',
  'bulk',
  'roles',
  'export-and-erase',
  'triggers',
  'walk',
  'outbox',
  'bundles',
  'smoke',
  'digests',
  'messages',
  'bad-endpoints',
  'kills',
  'stacks',
  'limits',
  'sealing',
  'work-backlog',
  'responses',
];
const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = slowest.indexOf(basename(moduleId, '.test.ts'));
  return place < 0 ? slowest.length : place;
};

/** Starts the slowest files first and the largest of the others next. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
