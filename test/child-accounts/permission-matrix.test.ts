import { afterAll, describe, expect, test } from 'vitest';
import deleteAccountType from '../../functions/account-types/delete-account-type.ts';
import setChildType from '../../functions/accounts/set-child-type.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { accountPermissionOf, permissionsOf } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { allPermissions } from '../../shared/resources/derived.ts';
import { isLimited } from '../../shared/security/permissions.ts';
import { applicant, plantAppKey } from '../harness/applicant.ts';
import { accountType, childAccount } from '../harness/child-account.ts';
import { member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';

const endpoints = (await loadEndpoints()).map(({ endpoint }) => endpoint);
const acme = await tenant();
const child = await childAccount(acme);
const everyone = await member(child, [...allPermissions]);
const callers = [child.admin, child.key, child.directKey, everyone.client];
const applicationId = 'app_of-the-child';
const appKey = await plantAppKey(child.accountId, applicationId);
const ofApplicant = applicant({ appKey, acctId: child.accountId });

/** A request with an invalid body and an invalid query. Input errors are returned only if all access checks pass. */
const invalidInput = { query: { nonsense: 'yes', user: 'grace@example.com' }, rawBody: '{"nonsense":' };
const errorOf = async (by: Client, endpoint: Endpoint, sent: object = invalidInput) => {
  const { status, body } = await by.call(endpoint, sent);
  return `${status} ${(body as { error?: string }).error}`;
};
const forAdministrators = endpoints.filter(({ contract }) => contract.administratorOnly);
/**
 * Endpoints for administrators that need a permission of the account. Each test calls the endpoints of its permission
 * and an eighth of the others.
 */
const limited = forAdministrators.filter(({ contract }) => accountPermissionOf(contract) !== undefined);
const nameOf = ({ contract: { method, path } }: Endpoint) => `${method} ${path}`;

let former = child.type.id;
afterAll(() => acme.admin.ok(deleteAccountType, { params: { id: child.type.id } }));

describe('in an account whose type lacks a permission', () => {
  test.each(allPermissions.filter((name) => !isLimited(name)))(
    '%s, no caller has the permission',
    async (missing) => {
      const { id } = await accountType(acme, {
        permissions: allPermissions.filter((name) => name !== missing),
      });
      const params = { id: child.accountId };
      await acme.admin.ok(setChildType, { params, body: { accountTypeId: id } });
      if (former !== child.type.id) await acme.admin.ok(deleteAccountType, { params: { id: former } });
      former = id;

      const needing = endpoints.filter(({ contract }) => permissionsOf(contract).includes(missing));
      // All callers call the first endpoint, and one caller in turn calls each of the others.
      for (const [n, endpoint] of needing.entries())
        for (const by of n === 0 ? callers : callers.slice(n % callers.length).slice(0, 1))
          expect(await errorOf(by, endpoint), nameOf(endpoint)).toBe('403 permission_denied');
      for (const [n, endpoint] of limited.entries())
        if (
          accountPermissionOf(endpoint.contract) === missing ||
          n % 8 === allPermissions.indexOf(missing) % 8
        )
          expect(await errorOf(child.admin, endpoint), nameOf(endpoint)).toMatch(
            accountPermissionOf(endpoint.contract) === missing
              ? /^403 permission_denied$/
              : /^400 invalid_(json|input)$/,
          );
      for (const endpoint of needing.filter(({ contract }) => contract.applicant))
        expect(await errorOf(ofApplicant, endpoint, { params: { applicationId } }), nameOf(endpoint)).toBe(
          '403 permission_denied',
        );
      const [one] = endpoints.filter(
        ({ contract }) => permissionsOf(contract).length > 0 && !permissionsOf(contract).includes(missing),
      );
      if (!one) throw new Error('No endpoint needs another permission.');
      for (const by of callers)
        expect(await errorOf(by, one), nameOf(one)).toMatch(/^400 invalid_(json|input)$/);
    },
  );

  test('administrators need the permission of a resource, except for the users and API keys of the account', () => {
    const resourceOf = ({ contract: { path } }: Endpoint) => path.split('/')[1] ?? '';
    const withPermissions = new Set(
      endpoints.filter(({ contract }) => permissionsOf(contract).length > 0).map(resourceOf),
    );
    const unlimited = forAdministrators
      .filter(({ contract }) => accountPermissionOf(contract) === undefined)
      .map(resourceOf)
      .filter((name) => withPermissions.has(name));
    expect([...new Set(unlimited)].sort()).toEqual(['apikeys', 'users']);
  });

  test('all other permissions than two are needed by an endpoint', () => {
    const needed = new Set(
      endpoints.flatMap(({ contract }) => [
        ...permissionsOf(contract),
        ...(contract.anyPermission ?? []),
        accountPermissionOf(contract),
      ]),
    );
    const others = allPermissions.filter((name) => !needed.has(name) && !isLimited(name));
    expect(others).toEqual(['revealSensitive', 'readInternalComments']);
  });
});
