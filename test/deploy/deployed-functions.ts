import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from './deployment.ts';

export interface DeployedFunction {
  /** The physical name, such as `merchant-ops-local-leads-create-lead`. */
  name: string;
  /** The execution role's template file and logical id. */
  role: { template: string; logicalId: string };
  /** The folder with the deployed code. */
  folder: string;
}

interface FunctionResource {
  Type: string;
  Properties: { FunctionName: string; Role: { 'Fn::GetAtt': [string, string] } };
  Metadata: { 'aws:asset:path': string };
}

/** Every function of a deployment. */
export function deployedFunctions({ assembly }: Pick<Deployment, 'assembly'>): DeployedFunction[] {
  const templates = readdirSync(assembly).filter((file) => file.endsWith('.template.json'));
  return templates.flatMap((template) => {
    const { Resources } = JSON.parse(readFileSync(join(assembly, template), 'utf8')) as {
      Resources: Record<string, FunctionResource>;
    };
    return Object.values(Resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ Properties: { FunctionName, Role }, Metadata }) => ({
        name: FunctionName,
        role: { template, logicalId: Role['Fn::GetAtt'][0] },
        folder: join(assembly, Metadata['aws:asset:path']),
      }));
  });
}
