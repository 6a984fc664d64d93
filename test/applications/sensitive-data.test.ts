import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import deleteApplication from '../../functions/applications/delete-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import readApplication from '../../functions/applications/read-application.ts';
import rotateAppKey from '../../functions/applications/rotate-app-key.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import listEvents from '../../functions/events/list-events.ts';
import { rotateDataKey } from '../../infra/operations/rotate-data-key.ts';
import type { ApplicationInput } from '../../shared/sales/applications/schema.ts';
import type { StoredApplication } from '../../shared/sales/applications/stored-application.ts';
import { dataKeysKey } from '../../shared/security/keys.ts';
import type { Item } from '../../shared/table/item.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { deleteItem, putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { measure } from '../costs/meter.ts';
import { logged } from '../harness/call.ts';
import { drain } from '../harness/drain.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { canaries, filledApplication } from '../harness/filled-application.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

afterEach(noFaults);

const [acme, globex] = [await tenant(), await tenant()];
const create = (body: ApplicationInput = filledApplication, { admin }: Tenant = acme) =>
  admin.ok(createApplication, { body });
const by = ({ id }: { id: string }) => ({ params: { applicationId: id } });
const itemOf = async ({ id }: { id: string }, { accountId }: Tenant = acme) =>
  (await getItem(recordKey(accountId, 'APPLICATION', id))) as Item & StoredApplication;
const put = (item: object) => transact([putItem(item as Item)], Date.now() + 5000);
const hidden = { query: { reveal: false } };

describe('sensitive values', () => {
  test('sensitive values are in the responses of GET, PATCH and submit, and in no item, event, audit entry, log line or list', async () => {
    logged.length = 0;
    const redacted: unknown[] = [];
    const withKey = () => ({ headers: { 'idempotency-key': randomUUID() } });
    const made = await acme.admin.ok(createApplication, { body: filledApplication, ...withKey() });
    const own = { params: { applicationId: `own-${randomUUID()}` }, query: { createIfNotExists: true } };
    const put = await acme.admin.ok(updateApplication, { ...own, body: filledApplication });
    const read = await acme.admin.ok(readApplication, by(made));
    const other = await create();
    const submission = { ...by(made), ...withKey() };
    const submitted = await acme.admin.ok(submitApplication, submission);
    const revealed = (await storedEvents(acme.accountId)).filter(
      ({ kind, request }) =>
        kind === 'application_sensitive_data_revealed' && Object(request).path?.endsWith('/submit'),
    );
    expect(revealed.map(({ subject, data }) => [Object(subject).version, Object(data).fields])).toEqual([
      [submitted.version, expect.arrayContaining(['basics.dbaTaxId'])],
    ]);
    expect(submitted.system.appKey).toBe(made.system.appKey);
    const replayed = await acme.admin.ok(submitApplication, submission);
    expect(replayed.system.appKey).toBeUndefined();
    redacted.push(
      replayed,
      made,
      await acme.admin.ok(updateApplication, { ...by(other), body: filledApplication, ...hidden }),
      await acme.admin.ok(readApplication, { ...by(made), ...hidden }),
      await acme.admin.ok(rotateAppKey, { ...by(made), ...withKey() }),
      await acme.admin.ok(listApplications),
      await acme.admin.ok(listApplications, { query: { search: canaries.ssn } }),
      await acme.admin.ok(submitApplication, { ...by(other), ...hidden }),
      await acme.admin.ok(deleteApplication, by(put)),
    );
    const stop = watchWire({ done: ({ service, input }) => service === 'sqs' && redacted.push(input) });
    await drain();
    stop();
    redacted.push(
      await acme.admin.ok(listEvents),
      (await acme.admin.ok(readApplication, by(made))).auditLog,
      await scanTable(),
      logged,
    );
    for (const canary of Object.values(canaries)) {
      expect(JSON.stringify(redacted)).not.toContain(canary);
      expect(JSON.stringify(redacted)).not.toContain(canary.replaceAll('-', ''));
      for (const shown of [put, read, submitted]) expect(JSON.stringify(shown)).toContain(canary);
    }
  });

  test('sensitive values that were moved to another field, record or account cannot be decrypted, and all other fields can be read', async () => {
    const [made, other] = [await create(), await create()];
    const foreign = await create(filledApplication, globex);
    const [item, strange] = [await itemOf(other), await itemOf(foreign, globex)];
    const moved = [
      {
        businessBanking: {
          ...(await itemOf(made)).businessBanking,
          bankAccount: (await itemOf(made)).basics?.dbaTaxId,
        },
      },
      { basics: item.basics },
      { basics: strange.basics },
    ];
    const before = await itemOf(made);
    for (const change of moved) {
      await put({ ...before, ...change });
      const refused = await acme.admin.call(readApplication, by(made));
      expect([refused.status, refused.body.error]).toEqual([500, 'internal_error']);
      expect((await acme.admin.call(readApplication, { ...by(made), ...hidden })).status).toBe(200);
    }
  });

  test('sensitive values cannot be read after the keys of the account were deleted, and all other fields can', async () => {
    const lost = await tenant();
    const made = await create(filledApplication, lost);
    await transact([deleteItem(dataKeysKey(lost.accountId))], Date.now() + 5000);
    expect((await lost.admin.call(readApplication, by(made))).status).toBe(500);
    const shown = await lost.admin.ok(readApplication, { ...by(made), ...hidden });
    expect(shown.basics).toMatchObject({ dbaName: 'Harbor Street Coffee', dbaTaxId: 'REDACTED' });
    const body = { basics: { dbaCity: 'Oakland' } };
    expect((await lost.admin.ok(updateApplication, { ...by(made), body, ...hidden })).version).toBe(2);
  });

  test('sensitive values are not shown if the event that records it cannot be written: 503', async () => {
    const made = await create();
    injectFaults({ conflicts: 1 });
    const { status, body } = await acme.admin.call(readApplication, { ...by(made), milliseconds: 1300 });
    noFaults();
    expect([status, body.error]).toEqual([503, 'busy']);
    for (const canary of Object.values(canaries)) expect(JSON.stringify(body)).not.toContain(canary);
  });

  test('sensitive values encrypted with an older key can be read after a rotation, and an equal value keeps its ciphertext', async () => {
    const made = await create();
    const before = await itemOf(made);
    await rotateDataKey(acme.accountId);
    const body = { basics: { dbaTaxId: canaries.taxId }, businessBanking: { bankAccount: '55501234' } };
    const shown = await acme.admin.ok(updateApplication, { ...by(made), body });
    expect([shown.basics.dbaTaxId, shown.businessBanking.bankAccount]).toEqual([canaries.taxId, '55501234']);
    const after = await itemOf(made);
    expect(after.basics?.dbaTaxId).toEqual(before.basics?.dbaTaxId);
    expect(kidOf(after.businessBanking?.bankAccount?.jwe)).not.toBe(kidOf(after.basics?.dbaTaxId?.jwe));
  });
});

const kidOf = (jwe = ''): string =>
  JSON.parse(Buffer.from(jwe.split('.')[0] ?? '', 'base64url').toString()).kid;

test('reading an application takes one round trip with reveal=false, else two; changing, creating and submitting takes two', async () => {
  const made = await create();
  const rounds = async (run: () => Promise<unknown>) => {
    await inQuietMinute(() => acme.admin.ok(readApplication, by(made)));
    return (await measure(run)).sequence;
  };
  expect(await rounds(() => acme.admin.ok(readApplication, { ...by(made), ...hidden }))).toBe(1);
  expect(await rounds(() => acme.admin.ok(readApplication, by(made)))).toBe(2);
  const full = { includeFullResponse: true };
  const body = { basics: { dbaTaxId: '12-3456789' } };
  expect(await rounds(() => acme.admin.ok(updateApplication, { ...by(made), body, query: full }))).toBe(2);
  expect(await rounds(() => create())).toBe(2);
  expect(await rounds(() => acme.admin.ok(submitApplication, by(made)))).toBe(2);
  expect(await rounds(() => acme.admin.ok(listApplications))).toBe(1);
});
