import { objectIn } from './dead-letter.ts';

/** What a message or a dead letter may be, as far as it names an account. */
interface Naming {
  /** An event. */
  accountId?: unknown;
  /** A trigger message. */
  wake?: { account?: unknown };
  /** A record of the table's stream, given up by the relay. */
  dynamodb?: { Keys?: { pk?: { S?: unknown } }; NewImage?: { pk?: { S?: unknown } } };
  /** A message that its queue did not take. */
  body?: unknown;
}

/**
 * The id of the account that a message is of, whether it can be handled or not; undefined where it names none, as Lambda's note
 * that records were given up.
 */
export function accountOfMessage(body: string): string | undefined {
  const { accountId, wake, dynamodb, body: inner }: Naming = objectIn(body);
  const pk = dynamodb?.Keys?.pk?.S ?? dynamodb?.NewImage?.pk?.S;
  const named = accountId ?? wake?.account ?? (typeof pk === 'string' ? pk.split('#')[1] : undefined);
  if (typeof named === 'string') return named;
  return typeof inner === 'string' ? accountOfMessage(inner) : undefined;
}
