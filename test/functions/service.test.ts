import { describe, expect, test } from 'vitest';
import handleUnknownRoute from '../../functions/service/handle-unknown-route.ts';
import readHealth from '../../functions/service/read-health.ts';
import readOpenapi from '../../functions/service/read-openapi.ts';
import { describeApi } from '../../infra/build/api-description.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { compileValidators } from '../../infra/build/validators.ts';
import { routeFor, toHttpEvent } from '../../infra/local/http-event.ts';
import { lambdaHandler } from '../../shared/http/handler.ts';
import { call } from '../harness/call.ts';

describe('a request that matches no endpoint', async () => {
  const api = describeApi(await loadEndpoints());
  const handler = lambdaHandler(handleUnknownRoute, compileValidators(handleUnknownRoute.contract), {
    clock: () => new Date(),
    api,
    log: () => {},
  });
  const ask = async (method: string, target: string) => {
    const match = routeFor(api.routes, method, target);
    expect(match?.route.path, `${method} ${target}`).toBe('$default');
    const request = { method, target, headers: ['host', 'api.test'], body: Buffer.alloc(0), sourceIp: '' };
    const httpResponse = await handler(
      toHttpEvent(request, { route: { method: 'ANY', path: '$default' }, params: {} }),
      {} as never,
    );
    const { error, status } = JSON.parse(httpResponse.body);
    expect(httpResponse.statusCode).toBe(status);
    return `${status} ${error}`;
  };

  test('an unknown path returns 404', async () => {
    for (const target of [
      '/',
      '/nothing',
      '/leads/1/2/3',
      '/leads/',
      '//leads',
      '/LEADS',
      '/nothing?x=1',
      '/$default',
    ])
      expect(await ask('GET', target), target).toBe('404 route_not_found');
  });
});

test('GET /health and GET /openapi.json need no credential, and GET /openapi.json lists every route', async () => {
  expect((await call(readHealth)).body).toEqual({ status: 'ok' });
  const paths = (await call(readOpenapi)).body.paths as Record<string, Record<string, unknown>>;
  for (const { endpoint: one } of await loadEndpoints()) {
    const { method, path } = one.contract;
    if (method !== 'ANY') expect(paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
  }
});
