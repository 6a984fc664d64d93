import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../infra/build/endpoints.ts';
import { loadSchedules } from '../../infra/build/schedules.ts';
import { stageNamed } from '../../infra/stages.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { costPage, type Deployed } from './cost-page.ts';

/** What prod deploys. */
async function deployedInProduction(): Promise<Deployed> {
  const schedules = await loadSchedules();
  return {
    stage: stageNamed('prod'),
    alarms: 54,
    alarmMetrics: 55,
    keys: 4,
    queues: queueNames.length,
    schedules: schedules.length,
    // A lag for each queue, one for seals, and `SenderRefusals`.
    customMetrics: queueNames.length + 2 + schedules.filter(({ schedule }) => schedule.lag).length,
  };
}

/** The file of the table of costs. */
export const costTable = join(root, 'test', 'costs.md');

/** The page as it has to be. */
export const currentCostPage = async (): Promise<string> =>
  costPage(readFileSync(costTable, 'utf8'), await deployedInProduction());

/** Writes it: what `npm run costs:page` does, and `npm run costs` at its end. */
export const writeCostPage = async (): Promise<void> =>
  writeFileSync(join(root, 'infra', 'cost.md'), await currentCostPage());
