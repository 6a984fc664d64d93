import { isCounterDelta, type Operation, type TransactItem, type Write } from './operations.ts';

/** Converts writes to condition checks. A transaction of these checks fails with the same errors as the writes. */
export const conditionsOf = (writes: readonly Write[]): TransactItem[] =>
  writes.flatMap((write) => {
    const check = isCounterDelta(write) ? undefined : checkOf(write.operation);
    return check && !isCounterDelta(write) ? [{ ...write, operation: { ConditionCheck: check } }] : [];
  });

type Check = Extract<Operation, { ConditionCheck: unknown }>['ConditionCheck'];

/** Returns undefined if the operation has no condition. */
function checkOf(operation: Operation): Check | undefined {
  const { Key, ...condition } = conditional(operation);
  const { ConditionExpression = '' } = condition;
  if (ConditionExpression === '') return undefined;
  // DynamoDB rejects unused names and values. The condition of an update does not use all of its names and values.
  const used = new Set(ConditionExpression.match(/[#:]\w+/g));
  const only = <V>(all: Record<string, V> = {}): Record<string, V> | undefined => {
    const kept = Object.entries(all).filter(([name]) => used.has(name));
    return kept.length > 0 ? Object.fromEntries(kept) : undefined;
  };
  return {
    Key,
    ConditionExpression,
    ExpressionAttributeNames: only(condition.ExpressionAttributeNames),
    ExpressionAttributeValues: only(condition.ExpressionAttributeValues),
    ReturnValuesOnConditionCheckFailure: condition.ReturnValuesOnConditionCheckFailure,
  };
}

function conditional(operation: Operation) {
  if ('Put' in operation) {
    const { Item, ...put } = operation.Put;
    return { ...put, Key: { pk: Item.pk, sk: Item.sk } };
  }
  if ('Update' in operation) return operation.Update;
  return 'Delete' in operation ? operation.Delete : operation.ConditionCheck;
}
