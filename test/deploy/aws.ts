import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { credentials, type Emulator, region } from './emulator.ts';

/** Calls an AWS JSON API without an SDK client. `target` is an operation such as `DynamoDB_20120810.ListTables`. */
export async function callAws<T>(emulator: Emulator, target: string, input: object): Promise<T> {
  const [name = ''] = target.split(/[_.]/);
  const body = await send(emulator, name.replace(/^Amazon/, '').toLowerCase(), {
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
    body: JSON.stringify(input),
  });
  return JSON.parse(body) as T;
}

export const tableNames = async (emulator: Emulator): Promise<string[]> =>
  (await callAws<{ TableNames: string[] }>(emulator, 'DynamoDB_20120810.ListTables', {})).TableNames;

export const logEvents = async (
  emulator: Emulator,
  logGroupName: string,
  filterPattern?: string,
): Promise<{ message: string; timestamp: number }[]> =>
  (
    await callAws<{ events: { message: string; timestamp: number }[] }>(
      emulator,
      'Logs_20140328.FilterLogEvents',
      { logGroupName, filterPattern },
    )
  ).events;

/** Calls Lambda's REST API. */
export async function callLambda<T>(
  emulator: Emulator,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  input?: object,
): Promise<T> {
  const body = input && JSON.stringify(input);
  return JSON.parse(await send(emulator, 'lambda', { method, path: `/2015-03-31/${path}`, body })) as T;
}

/** The HTTP APIs of the account. */
export const httpApis = async (emulator: Emulator): Promise<{ apiId: string; name: string }[]> =>
  JSON.parse(await send(emulator, 'apigateway', { method: 'GET', path: '/v2/apis' })).items;

const versions = { iam: '2010-05-08', cloudformation: '2010-05-15' } as const;

/** Calls an API with AWS's Query protocol and returns the XML response. */
export const callForm = (
  emulator: Emulator,
  service: keyof typeof versions,
  Action: string,
  parameters: Record<string, string>,
): Promise<string> =>
  send(emulator, service, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ Action, Version: versions[service], ...parameters }).toString(),
  });

async function send(
  { endpoint }: Emulator,
  service: string,
  {
    method = 'POST',
    path = '/',
    headers = {},
    body,
  }: { method?: string; path?: string; headers?: Record<string, string>; body?: string },
): Promise<string> {
  const { hostname, port, protocol, host, pathname, searchParams } = new URL(path, endpoint);
  const sha256 = Hash.bind(null, 'sha256');
  const signer = new SignatureV4({ service, region, credentials, sha256 });
  const request = {
    method,
    protocol,
    hostname,
    port: Number(port),
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: { ...headers, host },
    body,
  };
  const signed = await signer.sign(new HttpRequest(request));
  const response = await fetch(new URL(path, endpoint), { method, headers: signed.headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service} returned ${response.status}: ${text}`);
  return text;
}
