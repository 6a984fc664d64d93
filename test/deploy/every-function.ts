import { expect } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { authorizerName } from '../../infra/build/manifest.ts';
import { loadSchedules } from '../../infra/build/schedules.ts';
import { apiClient } from '../../infra/operations/api-client.ts';
import { nameIn, stageNamed } from '../../infra/stages.ts';
import type { Contract } from '../../shared/endpoints/contract.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { isTriggerQueue, type QueueName, queueNames, type TriggerQueue } from '../../shared/events/queues.ts';
import { triggerBody } from '../../shared/events/trigger-message.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { WorkQueueName } from '../../shared/work-queue/keys.ts';
import { anEvent } from '../harness/an-event.ts';
import {
  batchOf,
  type Exchange,
  knownRequest,
  login,
  recordsOf,
  runOf,
  unknownRequest,
  wrongToken,
} from '../harness/sample-exchanges.ts';
import { callAws, callLambda } from './aws.ts';
import { type DeployedFunction, deployedFunctions } from './deployed-functions.ts';
import type { Deployment } from './deployment.ts';
import type { Emulator } from './emulator.ts';
import { runFunction } from './lambda-runtime.ts';

/** The number of functions that run in parallel. */
const parallelism = 3;

/**
 * Runs every deployed function as Lambda does, with the deployed files, handler and environment. Expects that each
 * function loads, responds to its sample events and logs only JSON.
 */
export async function expectEveryFunctionResponds(emulator: Emulator, deployment: Deployment): Promise<void> {
  const functions = deployedFunctions(deployment);
  const exchanges = await exchangesWith(emulator, deployment);
  expect(functions.map(({ name }) => name).sort()).toEqual([...exchanges.keys()].sort());
  const remaining = functions.values();
  const worker = async () => {
    for (const deployed of remaining)
      await expectResponses(emulator, deployed, exchanges.get(deployed.name) ?? []);
  };
  await Promise.all(Array.from({ length: parallelism }, worker));
}

interface Configuration {
  Handler: string;
  Timeout: number;
  MemorySize: number;
  Environment: { Variables: Record<string, string> };
}

async function expectResponses(
  emulator: Emulator,
  { name, folder }: DeployedFunction,
  exchanges: readonly Exchange[],
): Promise<void> {
  const { Handler, Timeout, MemorySize, Environment } = await callLambda<Configuration>(
    emulator,
    'GET',
    `functions/${name}/configuration`,
  );
  const lambda = {
    name,
    folder,
    handler: Handler,
    timeoutSeconds: Timeout,
    memoryMegabytes: MemorySize,
    environment: { ...emulator.environment, ...Environment.Variables },
  };
  const { initError, results, log, stderr } = await runFunction(
    lambda,
    exchanges.map(({ event }) => event),
  );
  const hint = [name, ...log].join('\n');
  expect({ initError, stderr }, hint).toEqual({ initError: undefined, stderr: '' });
  const lines = log.map((line) => {
    expect(() => JSON.parse(line), hint).not.toThrow();
    return JSON.parse(line);
  });
  expect(results, hint).toHaveLength(exchanges.length);
  for (const [index, { check, logged }] of exchanges.entries()) {
    const result = results[index];
    expect(result, hint).toHaveProperty('response');
    check(result && 'response' in result ? result.response : undefined, hint);
    if (logged) expect(lines, hint).toContainEqual(expect.objectContaining(logged));
  }
}

/** Sample events by the name of the deployed function. */
async function exchangesWith(
  emulator: Emulator,
  { baseUrl, credentials }: Deployment,
): Promise<Map<string, readonly Exchange[]>> {
  const account = credentials.accountId as AccountId;
  const { apiKey, apiSecret } = credentials;
  const secret = { apiKey, apiSecret };
  const { token } = await apiClient(baseUrl).send<{ token: string }>('POST', '/auth/login', { body: secret });
  const headers = { authorization: `Bearer ${token}`, 'x-account-id': account };
  const requestsTo = (contract: Contract): Exchange[] => {
    if (contract.path === '/auth/login') return [login(contract, secret)];
    // Sends no session to /auth/, because a logout would end the session that the other requests use.
    const isAboutLogins = contract.access === 'public' || contract.path.startsWith('/auth/');
    return [unknownRequest(contract), ...(isAboutLogins ? [] : [knownRequest(contract, headers)])];
  };
  const requests = (await loadEndpoints()).map(
    ({ name, endpoint: { contract } }) => [name, requestsTo(contract)] as const,
  );
  const batches = queueNames.map(
    (queue) => [`events-${queue}`, [batchOf(queue, [messageOf(queue, account)])]] as const,
  );
  const runs = (await loadSchedules()).map(({ name }) => [`schedules-${name}`, [runOf(name)]] as const);
  const authorizer = [authorizerName, [wrongToken]] as const;
  const relay = ['events-relay', [recordsOf(await loggedEvents(emulator, account))]] as const;
  const nameOf = (name: string) => nameIn(stageNamed('local'), name);
  return new Map(
    [...requests, authorizer, relay, ...batches, ...runs].map(([name, own]) => [nameOf(name), own] as const),
  );
}

/** Reads the items of some stored events of an account. */
async function loggedEvents(emulator: Emulator, account: AccountId): Promise<object[]> {
  const { Items } = await callAws<{ Items: object[] }>(emulator, 'DynamoDB_20120810.Query', {
    TableName: 'merchant-ops-local',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: eventKey(account, 0).pk } },
    Limit: 5,
  });
  expect(Items).not.toEqual([]);
  return Items;
}

/** A work queue of each SQS queue with trigger messages. */
const workQueues: Readonly<Record<TriggerQueue, WorkQueueName>> = {
  deliveries: 'WEBHOOK#0000000000000001',
  partner: 'PARTNER',
  messages: 'MAIL',
  outgoing: 'OUTGOINGMAIL',
  jobs: 'JOBS',
  residuals: 'RESIDUALS',
  sealing: 'SEALING',
};

/** Returns a message that has no effect if it is processed again. */
function messageOf(queue: QueueName, account: AccountId): string {
  if (isTriggerQueue(queue)) return triggerBody({ account, workQueue: workQueues[queue] });
  return JSON.stringify(queue === 'incoming' ? deliveryOf(account) : anEvent({ accountId: account }));
}

/** SES's report that it delivered a mail, which the account does not have. */
const deliveryOf = (account: AccountId): object => ({
  eventType: 'Delivery',
  mail: { messageId: '0100', tags: { account: [account], mail: ['1'] } },
  delivery: { timestamp: '2026-03-02T10:00:00.000Z', recipients: ['ada@example.com'] },
});
