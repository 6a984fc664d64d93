/** By which CloudFormation finds what a stack is to take back. */
const identifiers: Record<string, string> = {
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::KMS::Key': 'KeyId',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Id',
};

/**
 * What `cdk import` asks for, as its `--resource-mapping` has it: how each resource that outlived its stack is found, by the
 * stack's template and a line `<logical id> <physical id>` for each of its resources.
 */
export function importedAs(
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
      if (!identifier || !id) throw new Error(`Nothing says how ${logicalId}, a ${Type}, is found.`);
      return [logicalId, { [identifier]: id }];
    }),
  );
}
