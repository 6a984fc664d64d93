import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArnFormat, type Duration, Stack } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as Lambda,
  LoggingFormat,
  type RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { BundledFunction } from '../build/manifest.ts';
import { environmentOf, nameIn, type StageSettings } from '../stages.ts';

/**
 * The memory of each function in MB. CPU increases with the memory: 1,769 MB are one core (AWS, "Configure Lambda
 * function memory"). A request needs only a few milliseconds of CPU, so more memory would only increase the cost.
 */
const functionMegabytes = 1024;

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Lambda's limit for function names, in characters. */
const longestName = 64;

interface BundledLambdaProps {
  stage: StageSettings;
  bundle: BundledFunction;
  description: string;
  role: Role;
  logGroup: ILogGroup;
  timeout: Duration;
  environment: Record<string, string>;
  /** Whether Lambda stops the function if its own messages invoke it again and again. Default: Lambda stops it. */
  recursiveLoop?: RecursiveLoop;
}

/** A Lambda function with a bundle as its code. The construct adds no rights to the function's role. */
export class BundledLambda extends Lambda {
  constructor(
    scope: Construct,
    id: string,
    { stage, bundle, role, environment, ...props }: BundledLambdaProps,
  ) {
    const functionName = nameIn(stage, bundle.name);
    if (functionName.length > longestName)
      throw new Error(
        `The function name ${functionName} has more than ${longestName} characters. Shorten the name of the function’s file.`,
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
      // Omits Lambda's three log lines per invocation. Failures are still logged.
      systemLogLevelV2: SystemLogLevel.WARN,
      tracing: Tracing.ACTIVE,
      environment: { ...environmentOf(stage), ...environment },
    });
  }
}

/**
 * The ARN of a function that may be in another stack. It is built from the name, because a reference would export the ARN,
 * and a setting could not remove the export.
 */
export const functionArnOf = (scope: Construct, stage: StageSettings, { name }: { name: string }): string =>
  Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: nameIn(stage, name),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
