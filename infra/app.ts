import './quiet-sdk.ts';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { build } from './build/build.ts';
import { functionsFolder } from './build/source-maps.ts';
import { addStacks } from './stacks/deployment.ts';
import { overriddenStage } from './stage-overrides.ts';
import { requireDeployable, type StageSettings } from './stages.ts';

const app = new App();
addStacks(app, chosenStage(), await build(functionsFolder, { maps: true }));
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

/** Returns the stage of the option `-c stage`. If an option or setting is invalid, prints only the error and exits. */
function chosenStage(): StageSettings {
  try {
    const { stage, used } = overriddenStage(
      String(app.node.tryGetContext('stage') ?? 'dev'),
      app.node.tryGetContext('settings'),
    );
    for (const sentence of used) console.error(sentence);
    return requireDeployable(stage, process.env);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
