import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest test files, listed in the order in which they start. They start before all other files, so that no slow
 * file runs last while the other workers are idle. `runner` builds the bundles that other tests of the local service
 * use. `password` and `client` import few modules, so they use the cores while Vitest transforms the modules of the next
 * files.
 */
const slowest = [
  'runner',
  'password',
  'faults',
  'client',
  'costs',
  'dry-runs',
  'errors',
  'tour',
  'trigger-and-demo',
  'import',
  'digests',
  'bundles',
  'outbox',
  'event-sources',
  'roles',
  'run-work-queue',
  'bad-endpoints',
  'messages',
  'export-and-erase',
  'bulk',
  'console-screens',
  'smoke',
  'kills',
  'proofs',
  'webhook-tour',
  'stacks',
  'built-document',
  'rights',
  'explain',
  'restored-tables',
  'stopped-consumer',
  'lint',
];
const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = slowest.indexOf(basename(moduleId, '.test.ts'));
  return place < 0 ? slowest.length : place;
};

/** Starts the slowest files first, and then the other files in the default order of vitest. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
