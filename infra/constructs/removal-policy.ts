import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageSettings } from '../stages.ts';

/**
 * What becomes of data when its stack lets go of it. What is protected stays, unless its own first deployment failed: then it
 * is empty, and its name would block the next.
 */
export const removalPolicyOf = (stage: StageSettings): RemovalPolicy =>
  stage.protected ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
