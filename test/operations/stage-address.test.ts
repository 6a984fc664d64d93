import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { closeClients } from '../../infra/operations/close-at-end.ts';
import { addressOfStage } from '../../infra/operations/stage-address.ts';
import { stageNamed } from '../../infra/stages.ts';

/** The stacks that were read, with their regions. */
const read: string[] = [];
const server = createServer(async (request, response) => {
  const stack = new URLSearchParams(await text(request)).get('StackName');
  const [, region] = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
  read.push(`${stack} in ${region}`);
  const output = `<member><OutputKey>Url</OutputKey><OutputValue>https://${stack}.example.com</OutputValue></member>`;
  response.end(
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><Outputs>${output}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
process.env.AWS_ENDPOINT_URL_CLOUDFORMATION = `http://127.0.0.1:${port}`;
process.env.AWS_REGION = 'eu-central-1';
afterAll(() => server.close());

test('the address of a stage is read from the stack of CloudFront in us-east-1, or from the stack of the API', async () => {
  const addressOf = (name: string) => addressOfStage(stageNamed(name));
  expect(await addressOf('prod')).toBe('https://merchant-ops-prod-edge.example.com');
  expect(await addressOf('dev')).toBe('https://merchant-ops-dev-api.example.com');
  expect(read).toEqual(['merchant-ops-prod-edge in us-east-1', 'merchant-ops-dev-api in eu-central-1']);
  closeClients();
});
