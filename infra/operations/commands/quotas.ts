import { command, group } from '../command.ts';
import { flag, requiredOption, stage } from '../options.ts';

const check = command({
  brief: 'Compares what a stage needs with the quotas of the AWS account',
  notes: [
    `Run the command before the first deployment. It synthesizes the stage, so nothing has to be deployed. It needs the
rights servicequotas:GetServiceQuota and servicequotas:GetAWSDefaultServiceQuota, and uses the credentials from the AWS
environment and the region of the stage, or of the environment if the stage has no region.`,
    `The command counts only this stage, not what the AWS account already uses. For quotas that must be increased, it
prints the commands of the AWS CLI that request the increases. The exit code is then 1.`,
    'Limits that AWS does not increase are tested before a release, and are not compared.',
  ],
  flags: {
    stage: requiredOption(stage, 'stage that will be deployed'),
    json: flag('prints the result as JSON'),
  },
  loader: () => import('../quotas-check.ts'),
});

export const quotaCommands = group('Check the quotas of the AWS account', { check });
