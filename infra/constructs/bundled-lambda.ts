import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Duration } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as Lambda,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { BundledFunction } from '../build/manifest.ts';
import { environmentOf, nameIn, type StageSettings } from '../stages.ts';

/**
 * MB of memory that each function has. CPU comes with it: 1,769 MB are one core (AWS, "Configure Lambda function memory"). A
 * request needs a few milliseconds of CPU and waits for the rest, so more would only cost.
 */
export const functionMegabytes = 1024;

const root = fileURLToPath(new URL('../..', import.meta.url));
/** AWS: a function's name has at most 64 characters. */
const longestName = 64;

interface BundledLambdaProps {
  stage: StageSettings;
  bundle: BundledFunction;
  description: string;
  role: Role;
  logGroup: ILogGroup;
  timeout: Duration;
  environment: Record<string, string>;
}

/** A function as the build left it in its folder. It uses the rights of its role and adds none. */
export class BundledLambda extends Lambda {
  constructor(
    scope: Construct,
    id: string,
    { stage, bundle, role, environment, ...props }: BundledLambdaProps,
  ) {
    const functionName = nameIn(stage, bundle.name);
    if (functionName.length > longestName)
      throw new Error(
        `The function name ${functionName} is longer than ${longestName}: give its file a shorter name.`,
      );
    super(scope, id, {
      ...props,
      functionName,
      code: Code.fromAsset(resolve(root, bundle.folder)),
      handler: 'entry.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: functionMegabytes,
      role: role.withoutPolicyUpdates(),
      loggingFormat: LoggingFormat.JSON,
      // Three lines of Lambda's own for each call cost more than our one; what fails is told all the same.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: Tracing.ACTIVE,
      environment: { ...environmentOf(stage), ...environment },
    });
  }
}
