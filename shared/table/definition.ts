/** An index of the items that have its keys, and of no others. */
const index = <N extends string, P extends 'ALL' | 'KEYS_ONLY'>(name: N, projection: P) =>
  ({ name, partitionKey: `${name}Pk`, sortKey: `${name}Sk`, projection }) as const;

/**
 * The one table: the only place that says how it is built. The CDK stack, the local runner and the tests all
 * create it from this value.
 */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since 1970; DynamoDB removes the item some time after. Readers check it themselves. */
  ttl: 'expiresAtSeconds',
  stream: 'NEW_IMAGE',
  /** In the order in which they came: a table that is deployed takes one new index in an update. */
  indexes: [
    /** Records of one noun in one account by id, which is the order of creation: the default view of every list. */
    index('list', 'ALL'),
    /** The same, of those in one state: tickets by status. */
    index('state', 'ALL'),
    /** The same, of those that somebody holds: tickets by assignee and status. */
    index('holder', 'ALL'),
    /** Across accounts: what has something due, by the instant. */
    index('due', 'KEYS_ONLY'),
  ],
} as const;

/** An index of the table. */
export type IndexName = (typeof tableDefinition.indexes)[number]['name'];

/** Attributes that belong to the table and not to the record inside the item. */
export const tableAttributes: readonly string[] = [
  tableDefinition.partitionKey,
  tableDefinition.sortKey,
  tableDefinition.ttl,
  'type',
  ...tableDefinition.indexes.flatMap((index) => [index.partitionKey, index.sortKey]),
];
