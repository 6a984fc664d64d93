/** The property that identifies an imported resource, by type. */
const identifiers: Record<string, string> = {
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::KMS::Key': 'KeyId',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Id',
};

/**
 * The `--resource-mapping` of `cdk import` for the resources that outlived their stack. `resources` has a line
 * `<logical id> <physical id>` for each resource of the stack.
 */
export function resourceMapping(
  template: { Resources: Record<string, { Type: string; DeletionPolicy?: string }> },
  resources: string,
): Record<string, Record<string, string>> {
  const ids = new Map(resources.split('\n').map((line) => line.split(/\s+/, 2) as [string, string]));
  const kept = Object.entries(template.Resources).filter(
    ([, { DeletionPolicy }]) => DeletionPolicy === 'RetainExceptOnCreate',
  );
  return Object.fromEntries(
    kept.map(([logicalId, { Type }]) => {
      const [identifier, id] = [identifiers[Type], ids.get(logicalId)];
      if (!identifier || !id) throw new Error(`No identifier for ${logicalId} (${Type}).`);
      return [logicalId, { [identifier]: id }];
    }),
  );
}
