import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { tableDefinition } from '../../shared/table/definition.ts';
import { countedPartitions } from '../../shared/table/keys.ts';
import type { DataStack } from '../stacks/data.ts';
import { FunctionRole } from './function-role.ts';
import type { Right } from './rights.ts';

interface EndpointRolesProps {
  data: DataStack;
  logGroup: ILogGroup;
}

/** The roles of the endpoints: one for each distinct set of rights, made when the first endpoint needs it. */
export class EndpointRoles extends Construct {
  readonly #data: DataStack;
  readonly #logGroup: ILogGroup;
  readonly #roles = new Map<string, Role>();

  constructor(scope: Construct, id: string, { data, logGroup }: EndpointRolesProps) {
    super(scope, id);
    this.#data = data;
    this.#logGroup = logGroup;
  }

  /** The role that has exactly these rights. */
  roleWith(rights: readonly Right[]): Role {
    const name = rights.join(' ') || 'nothing';
    const role =
      this.#roles.get(name) ??
      new FunctionRole(this, name, {
        description: `Endpoints with ${name}`,
        logGroup: this.#logGroup,
        statements: rights.flatMap((right) => statementsFor(right, this.#data)),
      });
    this.#roles.set(name, role);
    return role;
  }

  /** What functions with these rights must be told. */
  environmentWith(rights: readonly Right[]): Record<string, string> {
    return {
      ...(rights.includes('table:read') && { TABLE_NAME: this.#data.tableName }),
      ...(rights.includes('secret:read') && { SECRET_ID: this.#data.secretName }),
    };
  }
}

function statementsFor(right: Right, { table, secret, key }: DataStack): PolicyStatement[] {
  switch (right) {
    case 'table:read':
      return [
        new PolicyStatement({
          sid: 'ReadTable',
          actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
          resources: [
            table.tableArn,
            ...tableDefinition.indexes.map(({ name }) => `${table.tableArn}/index/${name}`),
          ],
        }),
      ];
    case 'table:write':
      return [
        new PolicyStatement({
          sid: 'WriteTable',
          actions: ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(
            (action) => `dynamodb:${action}`,
          ),
          resources: [table.tableArn],
        }),
      ];
    case 'calls:count':
      return [
        new PolicyStatement({
          sid: 'CountCalls',
          actions: ['dynamodb:UpdateItem'],
          resources: [table.tableArn],
          conditions: leadingKeys(countedPartitions.calls, countedPartitions.totals),
        }),
        new PolicyStatement({
          sid: 'AnnounceLimit',
          actions: ['dynamodb:PutItem'],
          resources: [table.tableArn],
          conditions: leadingKeys(countedPartitions.events),
        }),
      ];
    case 'secret:read':
      return [
        new PolicyStatement({
          sid: 'ReadSecret',
          actions: ['secretsmanager:GetSecretValue'],
          resources: [secret.secretArn],
        }),
        new PolicyStatement({
          sid: 'DecryptSecret',
          actions: ['kms:Decrypt'],
          resources: [key.keyArn],
          // Only what Secrets Manager decrypts on the way, nothing that the function brings itself.
          conditions: {
            StringEquals: { 'kms:ViaService': `secretsmanager.${Stack.of(secret).region}.amazonaws.com` },
          },
        }),
      ];
  }
}

/** Only items whose partition key fits one of the patterns. */
const leadingKeys = (...patterns: string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
});
