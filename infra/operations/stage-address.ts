import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { edgeRegion, nameIn, type StageSettings } from '../stages.ts';
import { closeAtEnd } from './close-at-end.ts';

/**
 * Returns the URL of a stage's API: the output `Url` of the stack `edge`, or of the stack `api` if the stage has no
 * CloudFront.
 */
export async function addressOfStage(stage: StageSettings): Promise<string> {
  const StackName = nameIn(stage, stage.edge ? 'edge' : 'api');
  const client = closeAtEnd(new CloudFormationClient(stage.edge ? { region: edgeRegion } : {}));
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  const url = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'Url')?.OutputValue;
  if (url === undefined) throw new Error(`The stack ${StackName} has no output Url.`);
  return url;
}
