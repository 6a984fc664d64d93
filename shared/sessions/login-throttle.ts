import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { passwordMatches } from '../auth/password.ts';
import { Refusal } from '../http/errors.ts';
import { table, tableName } from '../table/client.ts';
import { isExpired } from '../table/item.ts';
import { loginFailuresAcrossAccountsKey } from '../table/keys.ts';
import { getItem } from '../table/read.ts';

const mostFailures = 10;
const windowSeconds = 15 * 60;

/** Who tries from where; failures are counted for the pair, so that nobody can lock somebody else out. */
export interface Attempt {
  name: string;
  source: string;
}

/**
 * Whether the password is right. A try is counted before it is judged and given back when it was right, so that
 * even a thousand tries at once are ten. Past ten failures in 15 minutes refuses with `too_many_requests`.
 */
export async function throttledPassword(
  password: string,
  stored: string | undefined,
  attempt: Attempt,
  now: Date,
): Promise<boolean> {
  await refuseAfterFailures(attempt, now);
  const failures = await countFailure(attempt, 1, now);
  if (failures > mostFailures) throw tooMany(windowSeconds);
  const right = await passwordMatches(password, stored);
  if (right) await countFailure(attempt, -1, now);
  return right;
}

/** Refuses with `too_many_requests` where ten failures were counted and their 15 minutes are not over. */
export async function refuseAfterFailures(attempt: Attempt, now: Date): Promise<void> {
  const item = await getItem(keyOf(attempt));
  if (item && !isExpired(item, now) && Number(item.failures) >= mostFailures)
    throw tooMany(Number(item.expiresAtSeconds) - Math.floor(now.getTime() / 1000));
}

/**
 * Counts a failure, or takes one back, and returns how many there are. The 15 minutes begin with the first; when
 * they are over the count begins anew.
 */
export async function countFailure(attempt: Attempt, amount: 1 | -1, now: Date): Promise<number> {
  const seconds = Math.floor(now.getTime() / 1000);
  const end = seconds + windowSeconds;
  const update = { TableName: tableName(), Key: keyOf(attempt), ReturnValues: 'UPDATED_NEW' as const };
  try {
    const { Attributes } = await table.send(
      new UpdateCommand({
        ...update,
        UpdateExpression: 'ADD failures :amount SET expiresAtSeconds = if_not_exists(expiresAtSeconds, :end)',
        ConditionExpression: 'attribute_not_exists(expiresAtSeconds) OR expiresAtSeconds > :now',
        ExpressionAttributeValues: { ':amount': amount, ':end': end, ':now': seconds },
      }),
    );
    return Number(Attributes?.failures);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  const { Attributes } = await table.send(
    new UpdateCommand({
      ...update,
      UpdateExpression: 'SET failures = :amount, expiresAtSeconds = :end',
      ExpressionAttributeValues: { ':amount': Math.max(amount, 0), ':end': end },
    }),
  );
  return Number(Attributes?.failures);
}

const keyOf = ({ name, source }: Attempt) =>
  loginFailuresAcrossAccountsKey(createHash('sha256').update(`${name}\n${source}`).digest('base64url'));

const tooMany = (seconds: number): Refusal =>
  new Refusal('too_many_requests', { headers: { 'retry-after': String(Math.max(seconds, 1)) } });
