import type { Role } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type Right, statementsWith } from '../rights/endpoint-rights.ts';
import type { DataStack } from '../stacks/data.ts';
import type { StageSettings } from '../stages.ts';
import { FunctionRole } from './function-role.ts';

interface EndpointRolesProps {
  stage: StageSettings;
  data: DataStack;
  logGroup: ILogGroup;
}

/** The roles of the endpoints: one for each distinct set of rights, made when the first endpoint needs it. */
export class EndpointRoles extends Construct {
  readonly #stage: StageSettings;
  readonly #data: DataStack;
  readonly #logGroup: ILogGroup;
  readonly #roles = new Map<string, Role>();

  constructor(scope: Construct, id: string, { stage, data, logGroup }: EndpointRolesProps) {
    super(scope, id);
    this.#stage = stage;
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
        statements: statementsWith(rights),
        arns: { ...this.#data.arns, logs: this.#logGroup.logGroupArn },
        stage: this.#stage,
      });
    this.#roles.set(name, role);
    return role;
  }

  /** The environment that functions with these rights need. */
  environmentWith(rights: readonly Right[]): Record<string, string> {
    return {
      ...(rights.includes('table:read') && { TABLE_NAME: this.#data.tableName }),
      ...(rights.some((right) => right.startsWith('files:')) && { BUCKET_NAME: this.#data.bucketName }),
      ...(rights.includes('secret:read') && { SECRET_ID: this.#data.secretName }),
      ...(rights.includes('data-key:use') && { DATA_KEY_ID: this.#data.dataKeyAlias }),
    };
  }
}
