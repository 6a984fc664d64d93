import './quiet-sdk.ts';
import { App, Validations } from 'aws-cdk-lib';
import { build } from './build/build.ts';
import { functionsFolder } from './build/source-maps.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { stageNamed } from './stages.ts';

/**
 * The app for `sam local start-api`, not for deployments: the stage `local` with all endpoints in one stack, because SAM
 * resolves no references between stacks. The endpoint is declared here because SAM passes on only declared variables;
 * it is this machine's name in Docker containers, with the usual port of emulators.
 */
const app = new App({ context: { '@aws-cdk/core:stackResourceLimit': 0 } });
const stage = { ...stageNamed('local'), endpoint: 'http://host.docker.internal:4566' };
const { endpoints } = await build(functionsFolder, { maps: true });
const data = new DataStack(app, 'data', { stage });
const api = new ApiStack(app, 'api', { stage, data, endpoints });
Validations.of(api).acknowledge({
  id: 'CloudFormation-Validate::F0007',
  reason: 'SAM accepts more resources than CloudFormation.',
});
