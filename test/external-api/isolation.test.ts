import { expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { routesEvery } from '../harness/heavy.ts';
import { tenant } from '../harness/tenant.ts';
import { recordFor } from '../routes/happy-paths.ts';
import { vendorOf } from './vendor.ts';

const all = await loadEndpoints();
const acme = await tenant();
const vendor = await vendorOf(acme);
const ofAccount = all
  .map(({ endpoint }) => endpoint)
  .filter(({ contract: { access = 'account' } }) => access === 'account' || access === 'home');
const isExternal = (path: string) => path.startsWith('/extapi/');

test('every endpoint needs a permission or an administrator, and endpoints outside the external API refuse a vendor’s key', async () => {
  const reachable: string[] = [];
  for (const [n, endpoint] of ofAccount.entries()) {
    const { method, path, permission, anyPermission, administratorOnly } = endpoint.contract;
    expect(permission ?? anyPermission ?? administratorOnly, `${method} ${path}`).toBeTruthy();
    if (isExternal(path)) {
      reachable.push(`${method} ${path}`);
      continue;
    }
    if (n % routesEvery > 0) continue;
    const { status } = await vendor.call(endpoint, { rawBody: '{"nonsense":' });
    expect([403, 404], `${method} ${path} returned ${status}`).toContain(status);
  }
  expect(reachable).toHaveLength(8);
});

test('every endpoint of the external API needs only the permission of vendors', () => {
  const permissions = ofAccount
    .filter(({ contract }) => isExternal(contract.path))
    .map(({ contract }) => contract.permission);
  expect(new Set(permissions)).toEqual(new Set(['useExternalApi']));
});

test('a vendor’s key finds no record of the external API that another caller sent', async () => {
  for (const endpoint of ofAccount.filter(({ contract }) => contract.path.includes('{externalId}'))) {
    const { real } = await recordFor(endpoint, acme);
    const { method, path } = endpoint.contract;
    const body = path.endsWith('/documents')
      ? {
          documentKey: 'voided-check',
          name: 'a.pdf',
          contentType: 'application/pdf',
          size: 1,
          sha256: 'a'.repeat(64),
        }
      : {};
    const { status } = await vendor.call(endpoint, { params: real, body });
    expect(status, `${method} ${path}`).toBe(404);
  }
});
