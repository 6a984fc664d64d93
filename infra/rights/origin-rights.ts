import { everyFunction, type Statement } from './statement.ts';

/** The policy of the function that checks whether a request comes from the stage's front. */
export const originStatements: readonly Statement[] = [
  ...everyFunction,
  { sid: 'ReadOriginTokens', actions: ['secretsmanager:GetSecretValue'], resources: ['origin-token'] },
];
