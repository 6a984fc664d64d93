import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, expect, test } from 'vitest';
import type { BundledEndpoint, Manifest } from '../../infra/build/manifest.ts';
import { GatewayRole } from '../../infra/constructs/gateway-role.ts';
import { stageNamed } from '../../infra/stages.ts';
import {
  builtManifest,
  type Deployment,
  deploymentOf,
  emptyApp,
  resources,
  servingTemplates,
  target,
} from '../harness/deployment.ts';

const [route, integration] = ['AWS::ApiGatewayV2::Route', 'AWS::ApiGatewayV2::Integration'];

let manifest: Manifest;
let deployed: Deployment;
/** Like `deployed`, but the files and path parameters are renamed and the first endpoint is removed. */
let changed: Deployment;

beforeAll(async () => {
  const whole = await builtManifest();
  // Uses every fourth endpoint, because three deployments of all endpoints take many seconds.
  manifest = { ...whole, endpoints: whole.endpoints.filter((_, n) => n % 4 === 0) };
  deployed = deploymentOf(stageNamed('local'), manifest);
  const [, ...rest] = manifest.endpoints;
  changed = deploymentOf(stageNamed('local'), { ...manifest, endpoints: rest.map(renamed) });
});

test('a route and its integration keep their logical ids when the file or a path parameter is renamed', () => {
  for (const type of [route, integration]) {
    const ids = (deployment: Deployment) =>
      servingTemplates(deployment).flatMap((template) =>
        resources(template, type)
          .filter(([id]) => ownFunctionOf(template, id) !== undefined)
          .map(([id]) => id),
      );
    const [before, after] = [ids(deployed), ids(changed)];
    expect(before).toHaveLength(manifest.endpoints.length);
    expect(after).toHaveLength(manifest.endpoints.length - 1);
    expect(before).toEqual(expect.arrayContaining(after));
  }
});

test('a renamed function has a new logical id, because its physical name changes too', () => {
  const named = (deployment: Deployment) =>
    new Map(
      servingTemplates(deployment).flatMap((template) =>
        resources<{ FunctionName: string }>(template, 'AWS::Lambda::Function')
          .filter(([id]) => !id.startsWith('OriginCheck'))
          .map(([id, { FunctionName }]) => [FunctionName, id] as const),
      ),
    );
  const [before, after] = [named(deployed), named(changed)];
  expect(new Set([...before.keys(), ...after.keys()]).size).toBe(2 * manifest.endpoints.length - 1);
  expect(new Set([...before.values(), ...after.values()]).size).toBe(2 * manifest.endpoints.length - 1);
});

test('a route is created after the policy that allows the gateway to invoke its function', () => {
  for (const template of servingTemplates(deployed)) {
    const policies = invokePolicies(template);
    for (const [id, { DependsOn }] of Object.entries(template.findResources(route))) {
      const called = ownFunctionOf(template, id);
      if (called === undefined) continue;
      const waitsFor = [DependsOn].flat().flatMap((other) => policies.get(String(other)) ?? []);
      expect(waitsFor, id).toContain(called);
    }
  }
});

test('adding or removing an endpoint moves no other endpoint to a different gateway policy', () => {
  const without = deploymentOf(stageNamed('local'), { ...manifest, endpoints: manifest.endpoints.slice(7) });
  const policiesOf = (deployment: Deployment) => servingTemplates(deployment).map(invokePolicies);
  const stacks = policiesOf(deployed);
  for (const [n, after] of policiesOf(without).entries()) {
    const before = stacks[n];
    expect(after.size).toBeGreaterThan(1);
    for (const [id, functions] of after)
      expect(before?.get(id), id).toEqual(expect.arrayContaining(functions));
  }
});

test('a full gateway policy is below IAM’s limit of 6,144 characters, and another function is refused', () => {
  const longest = 'arn:aws-us-gov:lambda:ap-southeast-1:123456789012:function:';
  const stackWith = (functions: number) => {
    const stack = new Stack(emptyApp(), 'Functions');
    const role = new GatewayRole(stack, 'Role', { endpoints: functions });
    for (let n = 0; n < functions; n++)
      role.allow('one name selects one policy', `${longest}${n}`.padEnd(125, 'x'));
    return stack;
  };
  const [policy] = resources<{ PolicyDocument: object }>(
    Template.fromStack(stackWith(45)),
    'AWS::IAM::ManagedPolicy',
  );
  const characters = JSON.stringify(policy?.[1].PolicyDocument).length;
  expect(characters).toBeGreaterThan(45 * 125);
  expect(characters).toBeLessThan(6_144);
  expect(() => stackWith(46)).toThrow('A gateway policy has more than 45 functions.');
});

/** Returns the function of the stack that a route or an integration calls. Undefined if it calls another API or stack. */
function ownFunctionOf(template: Template, id: string): string | undefined {
  const integrations = new Map(resources<{ IntegrationUri: unknown }>(template, integration));
  const routes = new Map(resources<{ Target: unknown }>(template, route));
  const calls = integrations.get(id) ?? integrations.get(target(routes.get(id)?.Target));
  const called = target(calls?.IntegrationUri);
  return called in template.findResources('AWS::Lambda::Function') ? called : undefined;
}

/** Returns the gateway policies, each with the functions that it allows the gateway to invoke. */
const invokePolicies = (template: Template) =>
  new Map(
    resources<{ PolicyDocument: { Statement: { Action: string; Resource: unknown }[] } }>(
      template,
      'AWS::IAM::ManagedPolicy',
    )
      .filter(([, { PolicyDocument }]) => PolicyDocument.Statement[0]?.Action === 'lambda:InvokeFunction')
      .map(([id, { PolicyDocument }]) => [
        id,
        PolicyDocument.Statement.flatMap(({ Resource }) => [Resource].flat().map(target)),
      ]),
  );

function renamed({ name, contract, ...bundle }: BundledEndpoint): BundledEndpoint {
  const path = contract.path.replaceAll(/\{\w+\}/g, '{renamed}');
  return {
    ...bundle,
    name: name.replace(/.$/, '2'),
    contract: { ...contract, path } as BundledEndpoint['contract'],
  };
}
