import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type AttributeValue,
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { jwtVerify } from 'jose';

/**
 * The handlers that the bench compares our functions with: Lambda handlers written by hand for four
 * endpoints, without a framework. They use the same table and send the same requests to DynamoDB. They verify
 * the session, the membership and the permission, and store the same items. They have no schema validation,
 * rate limit, idempotent retries, previews, If-Match or redaction.
 */
const client = new DynamoDBClient({ cacheMiddleware: true });
const TableName = process.env.TABLE_NAME ?? '';
const secret = JSON.parse(readFileSync(process.env.SECRET_FILE ?? '', 'utf8'));
const key = createHmac('sha256', secret[secret.kids[0]]).update('session-token').digest();

type Handler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;
type Item = Record<string, unknown>;

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface Caller {
  account: string;
  email: string;
}

/** Verifies the token, and reads user, session, membership, account and roles in one batch. */
async function authorize(event: APIGatewayProxyEventV2, permission: string): Promise<Caller> {
  const token = event.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const { payload } = await jwtVerify(token, key, {
    algorithms: ['HS256'],
    issuer: 'merchant-ops',
    audience: 'merchant-ops-api',
  }).catch(() => {
    throw new Refused(401, 'The token is not valid.');
  });
  const home = String(payload.home);
  const id = String(payload.sub).replace('user:', '').padStart(16, '0');
  const account = event.headers['x-account-id'] ?? home;
  const keys = [
    { pk: `ACCOUNT#${home}#USER#${id}`, sk: 'USER' },
    { pk: `ACCOUNT#${home}#SESSION#${payload.sid}`, sk: 'SESSION' },
    { pk: `ACCOUNT#${account}#MEMBER#${id}`, sk: 'RECORD' },
    { pk: `ACCOUNTRECORD#${account}`, sk: 'ACCOUNT' },
    { pk: `ACCOUNT#${account}#ROLES`, sk: 'ROLES' },
  ];
  const { Responses } = await client.send(
    new BatchGetItemCommand({
      RequestItems: { [TableName]: { Keys: keys.map((one) => marshall(one)), ConsistentRead: true } },
    }),
  );
  const items = (Responses?.[TableName] ?? []).map((item) => unmarshall(item));
  const [user, session, member, found, roles] = keys.map(({ pk, sk }) =>
    items.find((item) => item.pk === pk && item.sk === sk),
  );
  if (!user || session?.principal !== payload.sub || session?.epoch !== user.sessionEpoch)
    throw new Refused(401, 'The session has ended.');
  if (!found || !member?.active || member.invited)
    throw new Refused(403, 'You are not a member of this account.');
  const permissions = [
    ...member.flatPermissionsList,
    ...member.roleIds.flatMap((role: number) => roles?.roles[role]?.flatPermissionsList ?? []),
  ];
  if (!member.accountAdmin && !permissions.includes(permission))
    throw new Refused(403, `You need the permission ${permission}.`);
  return { account, email: user.email };
}

const handler =
  (permission: string, run: (event: APIGatewayProxyEventV2, caller: Caller) => Promise<[number, unknown]>) =>
  async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    try {
      return json(...(await run(event, await authorize(event, permission))));
    } catch (error) {
      if (error instanceof Refused) return json(error.status, { message: error.message });
      throw error;
    }
  };

const json = (statusCode: number, body: unknown): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

const pad = (id: unknown): string => String(id).padStart(16, '0');
const leadKey = (account: string, id: unknown) => ({
  pk: `ACCOUNT#${account}#LEAD#${pad(id)}`,
  sk: 'RECORD',
});

async function query(
  input: Omit<QueryCommandInput, 'TableName' | 'ExpressionAttributeValues'>,
  values: Item,
): Promise<Item[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({ TableName, ...input, ExpressionAttributeValues: marshall(values) }),
  );
  return Items.map((item) => unmarshall(item));
}

/** Returns the newest records of a list. */
const newest = (account: string, noun: string, limit: number): Promise<Item[]> =>
  query(
    { IndexName: 'list', KeyConditionExpression: 'listPk = :pk', ScanIndexForward: false, Limit: limit },
    { ':pk': `ACCOUNT#${account}#${noun}` },
  );

const withoutKeys = ({ pk, sk, listPk, listSk, type, ...fields }: Item): Item => fields;

/** `GET /leads/{leadId}`: the lead and its newest 100 audit entries. */
export const readLead: Handler = handler('readLeads', async ({ pathParameters }, { account }) => {
  const [lead, ...entries] = await query(
    {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: 101,
    },
    { ':pk': leadKey(account, pathParameters?.leadId).pk, ':from': 'AUDIT#', ':to': 'RECORD' },
  );
  if (lead?.sk !== 'RECORD') throw new Refused(404, 'There is no such lead.');
  return [200, { ...withoutKeys(lead), auditLog: entries.map(withoutKeys) }];
});

/** `GET /leads`: a page of the newest leads with the number of all leads. */
export const listLeads: Handler = handler('readLeads', async (event, { account }) => {
  const page = Number(event.queryStringParameters?.page ?? 1);
  const pageSize = Number(event.queryStringParameters?.pageSize ?? 25);
  const [leads, totals] = await Promise.all([
    newest(account, 'LEAD', page * pageSize),
    query(
      { KeyConditionExpression: 'pk = :pk', ConsistentRead: true },
      { ':pk': `ACCOUNT#${account}#TOTALS` },
    ),
  ]);
  const totalCount = totals.reduce((sum, shard) => sum + Number(shard.LEAD ?? 0), 0);
  const totalPages = Math.ceil(totalCount / pageSize);
  const data = leads.slice((page - 1) * pageSize).map(withoutKeys);
  return [200, { data, totalCount, totalPages, currentPage: page }];
});

/** `POST /leads`: reads teams, sources and rotations, like our function, and stores the lead and its event. */
export const createLead: Handler = handler('writeLeads', async (event, { account, email }) => {
  const input = JSON.parse(event.body ?? '{}');
  if (!input.firstName || !input.lastName) throw new Refused(400, 'firstName and lastName are required.');
  await Promise.all([
    newest(account, 'TEAM', 1000),
    newest(account, 'LEADSOURCE', 1000),
    newest(account, 'LEADROTATION', 100),
  ]);
  const now = new Date().toISOString();
  const id = newId();
  const stamps = { version: 1, createdAt: now, createdBy: email, updatedAt: now };
  const lead = { ...input, id, accountId: account, ...stamps, archived: false };
  await store(account, lead, undefined, eventOf('lead_created', event, account, email, lead, input), 1);
  return [201, lead];
});

/** `PATCH /leads/{leadId}`: replaces the given fields. Fails if the lead was changed since it was read. */
export const updateLead: Handler = handler('writeLeads', async (event, { account, email }) => {
  const input = JSON.parse(event.body ?? '{}');
  const key = leadKey(account, event.pathParameters?.leadId);
  const { Item: found } = await client.send(
    new GetItemCommand({ TableName, Key: marshall(key), ConsistentRead: true }),
  );
  if (!found) throw new Refused(404, 'There is no such lead.');
  const before = withoutKeys(unmarshall(found));
  const version = Number(before.version) + 1;
  const lead = { ...before, ...input, version, updatedAt: new Date().toISOString(), updatedBy: email };
  await store(account, lead, before.version, eventOf('lead_updated', event, account, email, lead, input), 0);
  return [200, lead];
});

const newId = (): number => (Date.now() - Date.UTC(2025, 0, 1)) * 4096 + randomInt(4096);

const eventOf = (
  kind: string,
  { rawPath, requestContext, headers }: APIGatewayProxyEventV2,
  accountId: string,
  user: string,
  lead: Item,
  input: Item,
) => ({
  id: newId(),
  kind,
  version: 1,
  accountId,
  actor: { user, apiKey: null },
  subject: { type: 'lead', id: lead.id, version: lead.version, label: `${lead.firstName} ${lead.lastName}` },
  data: { changes: Object.fromEntries(Object.entries(input).map(([name, to]) => [name, { to }])) },
  request: {
    method: requestContext.http.method,
    path: rawPath,
    headers: { 'user-agent': headers['user-agent'] ?? '' },
    ipAddress: requestContext.http.sourceIp,
  },
  occurredAt: new Date().toISOString(),
});

/** Stores the lead, its event and the totals in one transaction. */
async function store(
  account: string,
  lead: Item,
  version: unknown,
  event: ReturnType<typeof eventOf>,
  more: 0 | 1,
): Promise<void> {
  const key = leadKey(account, lead.id);
  const list = { listPk: `ACCOUNT#${account}#LEAD`, listSk: pad(lead.id) };
  const absent = { ConditionExpression: 'attribute_not_exists(pk)' };
  const unchanged = {
    ConditionExpression: '#version = :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: marshall({ ':version': version }, { removeUndefinedValues: true }),
  };
  const put = (item: Item): Record<string, AttributeValue> => marshall(item, { removeUndefinedValues: true });
  const counts: [string, number][] = [
    [`EVENT#${event.occurredAt.slice(0, 7)}`, 1],
    ...(more === 1 ? [['LEAD', 1] as [string, number]] : []),
  ];
  await client.send(
    new TransactWriteItemsCommand({
      ClientRequestToken: randomUUID(),
      TransactItems: [
        {
          Put: {
            TableName,
            Item: put({ ...key, ...list, type: 'lead', ...lead }),
            ...(version === undefined ? absent : unchanged),
          },
        },
        {
          Put: {
            TableName,
            Item: put({ pk: `ACCOUNT#${account}#EVENT`, sk: pad(event.id), type: 'event', ...event }),
            ...absent,
          },
        },
        {
          Update: {
            TableName,
            Key: marshall({
              pk: `ACCOUNT#${account}#TOTALS`,
              sk: String(randomInt(16)).padStart(2, '0'),
            }),
            UpdateExpression: `ADD ${counts.map((_, n) => `#n${n} :v${n}`).join(', ')}`,
            ExpressionAttributeNames: Object.fromEntries(counts.map(([name], n) => [`#n${n}`, name])),
            ExpressionAttributeValues: marshall(
              Object.fromEntries(counts.map(([, amount], n) => [`:v${n}`, amount])),
            ),
          },
        },
      ],
    }),
  );
}
