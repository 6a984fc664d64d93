import type { Statement } from './statement.ts';

/**
 * Merges statements with the same resources and condition, so that a policy has fewer characters. Two statements become
 * one if they have the same leading keys or the same actions. A merged statement allows exactly the actions on the keys
 * that the two statements allow. If a batch or transaction was allowed by one statement, it still is.
 */
export const mergeStatements = (statements: readonly Statement[]): Statement[] =>
  statements.reduce<Statement[]>(withStatement, []);

/** Adds a statement to merged statements. The union of two statements may fit to a third one, so it is added like a new one. */
function withStatement(merged: readonly Statement[], statement: Statement): Statement[] {
  for (const other of merged) {
    const union = unionOf(other, statement);
    if (union)
      return withStatement(
        merged.filter((one) => one !== other),
        union,
      );
  }
  return [...merged, statement];
}

/** Returns one statement with the rights of both; undefined if it would allow more. */
function unionOf(one: Statement, other: Statement): Statement | undefined {
  const { sid, actions, resources, leadingKeys, ...condition } = one;
  const { sid: otherSid, actions: others, resources: on, leadingKeys: otherKeys, ...otherCondition } = other;
  const isSameCondition =
    sameSet(Object.keys(condition), Object.keys(otherCondition)) && sameSet(resources, on);
  if (!isSameCondition || (leadingKeys === undefined) !== (otherKeys === undefined)) return undefined;
  const union = { ...one, sid: `${sid}And${otherSid}` };
  if (sameSet(leadingKeys ?? [], otherKeys ?? [])) return { ...union, actions: both(actions, others) };
  if (sameSet(actions, others)) return { ...union, leadingKeys: both(leadingKeys ?? [], otherKeys ?? []) };
  return undefined;
}

const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  new Set(one).size === new Set(other).size && one.every((text) => other.includes(text));

const both = <T>(one: readonly T[], other: readonly T[]): T[] => [...new Set([...one, ...other])];
