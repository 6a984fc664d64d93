import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import assessRisk from '../../functions/applications/assess-risk.ts';
import createApplication from '../../functions/applications/create-application.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import listCollisions from '../../functions/applications/list-collisions.ts';
import readApplication from '../../functions/applications/read-application.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import { rotateDataKey } from '../../infra/operations/rotate-data-key.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import type { ApplicationInput } from '../../shared/sales/applications/record/schema.ts';
import { canaries, filledApplication } from '../harness/filled-application.ts';
import { member } from '../harness/member.ts';
import { scanTable } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

const [acme, globex] = [await tenant(), await tenant()];
const create = (body: ApplicationInput, { admin }: Tenant = acme) => admin.ok(createApplication, { body });
const by = ({ id }: { id: string }) => ({ params: { applicationId: id } });
const collisions = (application: { id: string }, { admin }: Tenant = acme) =>
  admin.ok(listCollisions, by(application));
const owner = (uniqueId: string, socialSecurityNumber: string) => ({
  businessOwners: [{ uniqueId, socialSecurityNumber }],
});

describe('collisions', () => {
  test('the SSNs 123-45-6789 and 123456789 in two applications of an account are a collision, even after a key rotation', async () => {
    const first = await create(owner('ada', '123-45-6789'));
    await rotateDataKey(acme.accountId);
    const second = await create(owner('bob', '123456789'));
    const foreign = await create(owner('eve', '123-45-6789'), globex);
    const found = (field: string, other: { id: string }, at: string) => ({
      data: [
        {
          kind: 'ssn',
          field: `businessOwners[${field}].socialSecurityNumber`,
          records: [
            { type: 'application', id: other.id, field: `businessOwners[${at}].socialSecurityNumber` },
          ],
        },
      ],
      totalCount: 1,
    });
    expect(await collisions(second)).toEqual(found('bob', first, 'ada'));
    expect(await collisions(first)).toEqual(found('ada', second, 'bob'));
    expect(await collisions(foreign, globex)).toEqual({ data: [], totalCount: 0 });
    const hashOf = async ({ id }: { id: string }) =>
      (await scanTable())
        .find(({ type, sk }) => type === 'collision' && sk.includes(id))
        ?.pk.split('#')
        .at(-1);
    expect(await hashOf(foreign)).not.toBe(await hashOf(first));
    await acme.admin.ok(deleteApplication, by(second));
    expect(await collisions(first)).toEqual({ data: [], totalCount: 0 });
  });

  test('collisions list the merchants of other applications, but not the application’s own merchant', async () => {
    const first = await create(filledApplication);
    await acme.admin.ok(submitApplication, by(first));
    const body = { decision: 'approved' } as const;
    const { admin } = await acme.admin.ok(decideApplication, { ...by(first), body });
    expect(await collisions(first)).toEqual({ data: [], totalCount: 0 });
    const second = await create(filledApplication);
    const { data } = await collisions(second);
    const others = (kind: string) =>
      data.find((one) => one.kind === kind)?.records.map(({ type, id }) => [type, id]);
    const both = [
      ['application', first.id],
      ['merchant', admin?.merchantId],
    ];
    expect(others('ssn')).toEqual(both);
    expect(others('bank_account')).toEqual(both);
    expect(others('tax_id')).toEqual(both.slice(0, 1));
    expect((await collisions(first)).totalCount).toBe(3);
    const { factors } = await acme.admin.ok(assessRisk, by(second));
    expect(factors.find(({ rule }) => rule === 'several_collisions')?.fact).toBe('collisions is 3');
  });

  test('collisions and all stored rows contain neither sensitive values nor their unkeyed hashes', async () => {
    const stored = JSON.stringify([await collisions(await create(filledApplication)), await scanTable()]);
    for (const text of [canaries.ssn, canaries.taxId, canaries.account])
      for (const value of [text, text.replaceAll('-', ''), `011000015:${text}`]) {
        expect(stored).not.toContain(value);
        for (const algorithm of ['sha256', 'sha1', 'md5'])
          for (const encoding of ['hex', 'base64', 'base64url'] as const)
            expect(stored).not.toContain(createHash(algorithm).update(value).digest(encoding));
      }
  });

  test('only callers with readApplications and readMerchants see the risk factors of an application', async () => {
    await create(filledApplication);
    const application = await create(filledApplication);
    const risk = await acme.admin.ok(assessRisk, by(application));
    const { factors, ...assessed } = risk;
    const shownTo = async (...permissions: Permission[]) => {
      const { client } = await member(acme, ['writeApplications', ...permissions]);
      const changed = await client.ok(updateApplication, { ...by(application), body: {} });
      const read = await client.call(readApplication, by(application));
      return [changed, ...(read.status === 200 ? [read.body] : [])].map(({ admin }) => admin?.risk);
    };
    expect(await shownTo('readApplications', 'readMerchants')).toEqual([risk, risk]);
    expect(await shownTo('readApplications')).toEqual([assessed, assessed]);
    expect(await shownTo('readMerchants')).toEqual([assessed]);
    await acme.admin.ok(submitApplication, by(application));
    const { client } = await member(acme, ['writeUnderwriting']);
    const decided = await client.ok(decideApplication, {
      ...by(application),
      body: { decision: 'rejected', reason: 'A duplicate' },
    });
    expect(decided.admin.risk).toEqual(assessed);
  });

  test('collisions and risk assessments require writeUnderwriting, readApplications and readMerchants', async () => {
    const application = await create({});
    const needed = ['writeUnderwriting', 'readApplications', 'readMerchants'] as const;
    for (const missing of needed) {
      const held = needed.filter((name) => name !== missing);
      const { client } = await member(acme, [...held, 'writeApplications']);
      const refused = [
        await client.call(listCollisions, by(application)),
        await client.call(assessRisk, by(application)),
      ];
      expect(
        refused.map(({ status }) => status),
        missing,
      ).toEqual([403, 403]);
    }
  });
});
