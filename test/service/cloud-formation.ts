import { onTestFinished, vi } from 'vitest';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';

/**
 * Starts a CloudFormation endpoint for the current test. Each stack has the output `Url` with this value. Returns the
 * bodies of the requests.
 */
export async function startCloudFormation(url: string): Promise<readonly string[]> {
  const asked: string[] = [];
  const { endpoint, stop } = await startLoopbackServer(async (request, response) => {
    for await (const chunk of request) asked.push(String(chunk));
    const output = `<member><OutputKey>Url</OutputKey><OutputValue>${url}</OutputValue></member>`;
    response.end(
      `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName><Outputs>${output}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    );
  });
  onTestFinished(stop);
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', endpoint);
  onTestFinished(() => void vi.unstubAllEnvs());
  return asked;
}
