import { createHash, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type {
  APIGatewayRequestAuthorizerEventV2,
  APIGatewaySimpleAuthorizerResult,
  APIGatewaySimpleAuthorizerWithContextResult,
} from 'aws-lambda';
import { emitMetric } from '../events/emit-metric.ts';
import { failureOf, logFailure } from '../log.ts';
import { closesSilentConnections } from '../tune-client.ts';
import type { OriginProof } from './steps.ts';

/** The header in which the front sends its token to an API. */
export const originTokenHeader = 'x-origin-token';

/** The metric that counts requests with a wrong token. An alarm is defined on this metric. */
export const originRefusals = 'OriginRefusals';

/**
 * The gateway reuses a result for `gatewaySeconds`, and this function reuses the stored tokens for `keptMilliseconds`.
 * So a token that was removed from the secret is accepted for at most five minutes.
 */
export const gatewaySeconds = 240;
const keptMilliseconds = 60_000;
/** An unknown token makes the function read the secret again, but at most once per second. */
const reReadMilliseconds = 1_000;

const shortestToken = 32;

let client: SecretsManagerClient | undefined;
let cached: { digests: readonly Buffer[]; readAt: number } | undefined;

/**
 * The Lambda authorizer of the HTTP APIs behind a front. The gateway calls it before any endpoint, and rejects
 * requests without the header itself. Accepts every token in the secret, which has the form `{"1": "…", "2": "…"}`, so
 * that a token can be replaced without rejecting requests. Only this function can read the secret.
 */
export async function authorizeOrigin({
  identitySource: [token = ''] = [],
}: Pick<APIGatewayRequestAuthorizerEventV2, 'identitySource'>): Promise<
  APIGatewaySimpleAuthorizerResult | APIGatewaySimpleAuthorizerWithContextResult<OriginProof>
> {
  const isKnown =
    token.length >= shortestToken &&
    (isOneOf(await digests(keptMilliseconds), token) || isOneOf(await digests(reReadMilliseconds), token));
  if (isKnown) return { isAuthorized: true, context: { throughFront: true } };
  emitMetric(originRefusals, 1, 'Count');
  return { isAuthorized: false };
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares the token with all stored tokens, in a time that does not depend on the tokens. */
const isOneOf = (stored: readonly Buffer[], token: string): boolean =>
  stored.filter((digest) => timingSafeEqual(digest, digestOf(token))).length > 0;

/** Returns the digests of the stored tokens. If Secrets Manager is unavailable, uses the tokens that were read before. */
async function digests(longest: number): Promise<readonly Buffer[]> {
  if (cached && Date.now() - cached.readAt < longest) return cached.digests;
  try {
    cached = { digests: await readDigests(), readAt: Date.now() };
  } catch (error) {
    if (!cached) throw error;
    logFailure({ failed: 'read-origin-tokens', failure: failureOf(error) });
    cached.readAt = Date.now();
  }
  return cached.digests;
}

async function readDigests(): Promise<Buffer[]> {
  client ??= new SecretsManagerClient(closesSilentConnections);
  const SecretId = process.env.ORIGIN_SECRET_ID;
  const { SecretString = '{}' } = await client.send(new GetSecretValueCommand({ SecretId }));
  const tokens = Object.values(JSON.parse(SecretString) as Record<string, unknown>);
  const usable = tokens.filter((token) => typeof token === 'string' && token.length >= shortestToken);
  if (usable.length === 0 || usable.length < tokens.length)
    throw new Error(`The secret needs tokens of at least ${shortestToken} characters, such as {"1": "…"}.`);
  return usable.map((token) => digestOf(String(token)));
}
