import './quiet-sdk.ts';
import { App, Validations } from 'aws-cdk-lib';
import { build } from './build/build.ts';
import { functionsFolder } from './build/source-maps.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { stageNamed } from './stages.ts';

/**
 * What `sam local start-api` reads, and nobody deploys: the stage `local` with all endpoints in one stack, as SAM resolves
 * nothing of another. SAM passes on those variables only that are declared; the address of the engines is that of this
 * machine as Docker tells it to containers, with the port of emulators.
 */
const app = new App({ context: { '@aws-cdk/core:stackResourceLimit': 0 } });
const stage = { ...stageNamed('local'), endpoint: 'http://host.docker.internal:4566' };
const { endpoints } = await build(functionsFolder, { maps: true });
const data = new DataStack(app, 'data', { stage });
const api = new ApiStack(app, 'api', { stage, data, endpoints });
Validations.of(api).acknowledge({
  id: 'CloudFormation-Validate::F0007',
  reason: 'SAM reads more resources than CloudFormation takes.',
});
