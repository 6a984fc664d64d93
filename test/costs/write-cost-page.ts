import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../infra/build/endpoints.ts';
import { loadSchedules } from '../../infra/build/schedules.ts';
import { stageNamed } from '../../infra/stages.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { costPage, type Deployed } from './cost-page.ts';

/** The resources that `prod` deploys. */
async function deployedInProduction(): Promise<Deployed> {
  const schedules = await loadSchedules();
  return {
    stage: stageNamed('prod'),
    alarms: 54,
    alarmMetrics: 55,
    keys: 4,
    queues: queueNames.length,
    schedules: schedules.length,
    // The lag metrics of each queue, of seals and of each schedule with a lag, and the metric `SenderRefusals`.
    customMetrics: queueNames.length + 2 + schedules.filter(({ schedule }) => schedule.lag).length,
  };
}

export const costTable = join(root, 'test', 'costs.md');

export const currentCostPage = async (): Promise<string> =>
  costPage(readFileSync(costTable, 'utf8'), await deployedInProduction());

/** Writes `.build/cost.md`, which is not committed, from `test/costs.md`, the prices and the resources of `prod`. */
export async function writeCostPage(): Promise<void> {
  mkdirSync(join(root, '.build'), { recursive: true });
  const page = join(root, '.build', 'cost.md');
  writeFileSync(page, await currentCostPage());
  process.stdout.write(`Wrote ${page}\n`);
}
