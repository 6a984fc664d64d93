import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageSettings } from '../stages.ts';

/**
 * The removal policy of data. Protected data is retained, except after a failed first deployment. CloudFormation then
 * deletes the empty resources, so that the next deployment can create resources with the same names. It cannot delete a
 * table with deletion protection: see the setting `deletionProtection`.
 */
export const removalPolicyOf = (stage: StageSettings): RemovalPolicy =>
  stage.protected ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
