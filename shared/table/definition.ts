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
  indexes: [
    /** Records of one noun in one account by id, which is the order of creation: the default view of every list. */
    { name: 'list', partitionKey: 'listPk', sortKey: 'listSk' },
  ],
} as const;

/** Attributes that belong to the table and not to the record inside the item. */
export const tableAttributes: readonly string[] = [
  tableDefinition.partitionKey,
  tableDefinition.sortKey,
  tableDefinition.ttl,
  'type',
  ...tableDefinition.indexes.flatMap((index) => [index.partitionKey, index.sortKey]),
];
