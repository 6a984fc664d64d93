/** An index. It contains only items that have its keys. */
const index = <N extends string, P extends 'ALL' | 'KEYS_ONLY'>(name: N, projection: P) =>
  ({ name, partitionKey: `${name}Pk`, sortKey: `${name}Sk`, projection }) as const;

/** The definition of the one table, used by the CDK stack, the local runner and the tests. */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since 1970. DynamoDB removes expired items later, so readers check it too. */
  ttl: 'expiresAtSeconds',
  stream: 'NEW_IMAGE',
  /** In the order in which they were added: an update of a deployed table can add only one index. */
  indexes: [
    /** The records of a noun in an account by id, that is by creation: the default view of every list. */
    index('list', 'ALL'),
    /** The same per state, such as tickets by status. */
    index('state', 'ALL'),
    /** The same per holder, such as tickets by assignee and status. */
    index('holder', 'ALL'),
    /** Due records of all accounts, by due time. */
    index('due', 'KEYS_ONLY'),
  ],
} as const;

export type IndexName = (typeof tableDefinition.indexes)[number]['name'];

/** Attributes of the table, which are not part of the record. */
export const tableAttributes: readonly string[] = [
  tableDefinition.partitionKey,
  tableDefinition.sortKey,
  tableDefinition.ttl,
  'type',
  ...tableDefinition.indexes.flatMap((index) => [index.partitionKey, index.sortKey]),
];
