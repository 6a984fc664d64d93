import './quiet-sdk.ts';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { build } from './build/build.ts';
import { functionsFolder } from './build/source-maps.ts';
import { addStacks } from './stacks/deployment.ts';
import { overriddenStage } from './stage-overrides.ts';
import { parseIndexCount, requireDeployable, type StageSettings } from './stages.ts';

const app = new App();
const { stage, indexes } = chosen();
addStacks(app, stage, await build(functionsFolder, { maps: true }), indexes);
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

/**
 * Returns the stage and the number of indexes from the options `-c stage` and `-c indexes`. If an option or setting is
 * invalid, prints only the error and exits.
 */
function chosen(): { stage: StageSettings; indexes: number | undefined } {
  try {
    const { stage, used } = overriddenStage(
      String(app.node.tryGetContext('stage') ?? 'dev'),
      app.node.tryGetContext('settings'),
    );
    for (const sentence of used) console.error(sentence);
    return {
      stage: requireDeployable(stage, process.env),
      indexes: parseIndexCount(app.node.tryGetContext('indexes')),
    };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
