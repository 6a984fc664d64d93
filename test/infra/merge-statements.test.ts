import fc from 'fast-check';
import { expect, test } from 'vitest';
import { consumerStatements, scheduleStatements } from '../../infra/rights/event-rights.ts';
import { mergeStatements } from '../../infra/rights/merge-statements.ts';
import type { Statement } from '../../infra/rights/statement.ts';
import { queueNames } from '../../shared/events/queues.ts';

/** The rights of a policy: each combination of action, resource, condition and pattern of keys. */
const rightsIn = (statements: readonly Statement[]): Set<string> =>
  new Set(
    statements.flatMap(({ sid: _, actions, resources, leadingKeys = ['every key'], ...condition }) =>
      actions.flatMap((action) =>
        resources.flatMap((resource) =>
          leadingKeys.map((key) => JSON.stringify([action, resource, key, condition])),
        ),
      ),
    ),
  );

/** Reports whether one statement allows an action on all of these keys, as a batch or a transaction needs. */
const allowsTogether = (statements: readonly Statement[], of: Statement): boolean =>
  statements.some((statement) => {
    const rights = rightsIn([statement]);
    return [...rightsIn([of])].every((right) => rights.has(right));
  });

/** Few values, so that statements often have the same actions, keys, resources or condition. */
const someOf = <T>(...values: T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
const anyStatement: fc.Arbitrary<Omit<Statement, 'sid'>> = fc.record(
  {
    actions: someOf('dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'),
    resources: someOf('table' as const, 'table/index/list' as const, 'phone-numbers' as const),
    leadingKeys: someOf('ACCOUNT#*#LEAD#*', 'ACCOUNT#*#TICKET#*', 'EMAIL#*'),
    onlyForFiles: fc.constant(true as const),
    onlyForAccounts: fc.constant(true as const),
  },
  { requiredKeys: ['actions', 'resources'] },
);
const anyPolicy = fc
  .array(anyStatement, { maxLength: 12 })
  .map((statements) => statements.map((statement, n): Statement => ({ sid: `S${n}`, ...statement })));

test('merged statements allow exactly the same actions on the same resources and keys', () => {
  fc.assert(
    fc.property(anyPolicy, (statements) => {
      expect(rightsIn(mergeStatements(statements))).toEqual(rightsIn(statements));
    }),
  );
});

test('a batch or transaction that one statement allows is still allowed by one statement', () => {
  fc.assert(
    fc.property(anyPolicy, (statements) => {
      const merged = mergeStatements(statements);
      for (const statement of statements) expect(allowsTogether(merged, statement)).toBe(true);
    }),
  );
});

test('merged statements cannot be merged again, and their names are distinct', () => {
  fc.assert(
    fc.property(anyPolicy, (statements) => {
      const merged = mergeStatements(statements);
      expect(mergeStatements(merged)).toEqual(merged);
      expect(mergeStatements([...merged].reverse())).toHaveLength(merged.length);
      expect(new Set(merged.map(({ sid }) => sid)).size).toBe(merged.length);
    }),
  );
});

test('statements with different resources or conditions stay separate', () => {
  const base: Statement = { sid: 'One', actions: ['kms:Decrypt'], resources: ['files-key'] };
  for (const other of [
    { ...base, sid: 'Two', resources: ['data-key' as const] },
    { ...base, sid: 'Two', onlyForFiles: true as const },
    { ...base, sid: 'Two', leadingKeys: ['EMAIL#*'] },
  ])
    expect(mergeStatements([base, other])).toEqual([base, other]);
});

test('merging removes statements of the consumers and schedules, but none of their rights', () => {
  const policies = [
    ...queueNames.map((queue) => consumerStatements(queue)),
    ...(['health checks', 'tickets', 'work queues', 'closed accounts'] as const).map((uses) =>
      scheduleStatements({ uses }),
    ),
  ];
  for (const statements of policies)
    expect(rightsIn(mergeStatements(statements))).toEqual(rightsIn(statements));
  const count = (all: Statement[][]) => all.flat().length;
  expect(count(policies.map(mergeStatements))).toBeLessThan(count(policies));
});
