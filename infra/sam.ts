import './quiet-sdk.ts';
import { App, Validations } from 'aws-cdk-lib';
import { build } from './build/build.ts';
import { functionsFolder } from './build/source-maps.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { overriddenStage } from './stage-overrides.ts';

/**
 * The app for `sam local start-api`. Do not deploy this app: it has all endpoints in one stack, because SAM
 * does not resolve references between stacks. SAM passes only declared environment variables to the
 * containers. `endpoint` declares AWS_ENDPOINT_URL, with the address of an emulator on this machine.
 */
const app = new App({ context: { '@aws-cdk/core:stackResourceLimit': 0 } });
const { stage: local, used } = overriddenStage('local', app.node.tryGetContext('settings'));
for (const sentence of used) console.error(sentence);
const stage = { ...local, endpoint: local.endpoint ?? 'http://host.docker.internal:4566' };
const { endpoints, authorizer } = await build(functionsFolder, { maps: true });
const data = new DataStack(app, 'data', { stage });
const api = new ApiStack(app, 'api', { stage, data, endpoints, authorizer });
Validations.of(api).acknowledge({
  id: 'CloudFormation-Validate::F0007',
  reason: 'SAM accepts more resources in a stack than CloudFormation.',
});
