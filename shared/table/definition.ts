/** An index contains only the items that have both of its key attributes. */
const index = <N extends string, P extends 'ALL' | 'KEYS_ONLY'>(name: N, projection: P) =>
  ({ name, partitionKey: `${name}Pk`, sortKey: `${name}Sk`, projection }) as const;

/** The definition of the table, used by the CDK stack, the local runner and the tests. */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since 1970. DynamoDB removes expired items late, so readers also check this time. */
  ttl: 'expiresAtSeconds',
  /**
   * The relay reads only new items. A global table requires the old images, too, and the type of a stream cannot be
   * changed: with this type, a replica in a second region can be added later. Lambda reads streams free of charge, and
   * old images add nothing to a new item, which is all that the relay's filter accepts.
   */
  stream: 'NEW_AND_OLD_IMAGES',
  /**
   * In the order of creation. Append new indexes, one per deployment, because DynamoDB adds one index per
   * update.
   */
  indexes: [
    /** The records of a type in an account, sorted by id and therefore by creation time. Lists use it by default. */
    index('list', 'ALL'),
    /** The same records by state, such as tickets by status. */
    index('state', 'ALL'),
    /** The same records by holder, such as tickets by assignee and status. */
    index('holder', 'ALL'),
    /** Due records of all accounts, by due time. */
    index('due', 'KEYS_ONLY'),
  ],
} as const;

export type IndexName = (typeof tableDefinition.indexes)[number]['name'];

/** The attributes of an item that are not fields of its record. */
export const tableAttributes: ReadonlySet<string> = new Set([
  tableDefinition.partitionKey,
  tableDefinition.sortKey,
  tableDefinition.ttl,
  'type',
  ...tableDefinition.indexes.flatMap((index) => [index.partitionKey, index.sortKey]),
]);
