import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import approveResidualRun from '../../functions/residual-runs/approve-residual-run.ts';
import createResidualRun from '../../functions/residual-runs/create-residual-run.ts';
import postResidualRun from '../../functions/residual-runs/post-residual-run.ts';
import readResidualRun from '../../functions/residual-runs/read-residual-run.ts';
import reverseResidualRun from '../../functions/residual-runs/reverse-residual-run.ts';
import { rowsPartition } from '../../shared/residuals/files/keys.ts';
import { residualFiles } from '../../shared/residuals/files/store.ts';
import { monthSumsKey } from '../../shared/residuals/runs/keys.ts';
import { tableName } from '../../shared/table/client.ts';
import { queryItems } from '../../shared/table/read.ts';
import { documents } from '../harness/documents.ts';
import { drain } from '../harness/drain.ts';
import { member } from '../harness/member.ts';
import { passTime } from '../harness/pass-time.ts';
import { tenant } from '../harness/tenant.ts';
import { agree, posted, previewed, statementsOf, userOf } from './posted.ts';
import { storedFile, units } from './stored-files.ts';

/** A month with two agents. The sums of the second one can be damaged, so that each statement of this agent fails. */
async function twoAgents() {
  const acme = await tenant();
  const [first, second] = [await member(acme), await member(acme)];
  for (const [n, agent] of [first, second].entries())
    await agree(acme.key, { beneficiary: userOf(agent), scope: { mid: `100${n}` } });
  await storedFile({
    account: acme.accountId,
    rows: [
      { mid: '1000', net: units(10) },
      { mid: '1001', net: units(20) },
    ],
  });
  const key = monthSumsKey(acme.accountId, `user:${second.user.id}`, '2026-10');
  const TableName = tableName();
  const damage = (exact: number) => {
    const Item = { ...key, type: 'residual-balance', exact, residuals: exact, minor: 0, version: 1 };
    return documents.send(new PutCommand({ TableName, Item }));
  };
  const repair = () => documents.send(new DeleteCommand({ TableName, Key: key }));
  const read = (id: number) => acme.key.ok(readResidualRun, { params: { id } });
  return { acme, second, damage, repair, read };
}

/** Runs the jobs until they have failed for good. */
async function failures() {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  await drain();
  for (let round = 0; round < 5; round++) await passTime(10 * 60_000);
  expect(logged).toHaveBeenCalledTimes(5);
  logged.mockRestore();
}

/** Posts a run whose second statement fails. Returns its id. */
async function stopped({ acme, damage, read }: Awaited<ReturnType<typeof twoAgents>>): Promise<number> {
  const { id } = await previewed(acme.key);
  await damage(Number.MAX_SAFE_INTEGER);
  await acme.key.ok(approveResidualRun, { params: { id } });
  await acme.key.ok(postResidualRun, { params: { id } });
  await failures();
  expect((await read(id)).state).toBe('stopped');
  return id;
}

test('a run whose statement cannot be posted stops with a sentence, and continues when a person posts it again', async () => {
  const month = await twoAgents();
  const { acme, repair, read, second } = month;
  const id = await stopped(month);
  expect((await read(id)).error).toContain(`The statement of ${second.user.name} could not be posted.`);
  expect(await statementsOf(acme.key)).toMatchObject([{ total: 500 }]);
  // The month has a posted statement, so that no other run of the month can be posted.
  const other = await previewed(acme.key);
  await acme.key.ok(approveResidualRun, { params: { id: other.id } });
  const refused = await acme.key.call(postResidualRun, { params: { id: other.id } });
  expect(refused.body).toMatchObject({ error: 'residual_run_open' });
  // While the fault remains, the run stops again.
  await acme.key.ok(postResidualRun, { params: { id } });
  expect(await read(id)).toMatchObject({ state: 'posting' });
  await failures();
  expect((await read(id)).state).toBe('stopped');
  await repair();
  await acme.key.ok(postResidualRun, { params: { id } });
  await drain();
  const run = await read(id);
  expect([run.state, run.error]).toEqual(['posted', undefined]);
  expect((await statementsOf(acme.key)).map(({ total }) => total)).toEqual([500, 1_000]);
});

test('a run that cannot be calculated fails with a sentence, and another run of the month is calculated', async () => {
  const { acme, read } = await twoAgents();
  const { fileId = 0 } = (await residualFiles.latestOf(acme.accountId, '2026-10'))[0] ?? {};
  const [chunk] = await queryItems({
    partition: rowsPartition({ accountId: acme.accountId, id: fileId, readings: 1 }),
  });
  const TableName = tableName();
  await documents.send(new PutCommand({ TableName, Item: { ...chunk, packed: 'damaged' } }));
  const { id } = await acme.key.ok(createResidualRun, { body: { month: '2026-10' } });
  await failures();
  expect(await read(id)).toMatchObject({
    state: 'failed',
    error: 'The file of Northwind could not be calculated. Create another run to try again.',
  });
  await documents.send(new PutCommand({ TableName, Item: chunk }));
  expect((await previewed(acme.key)).shares).toBe(units(15));
});

test('a run that has stopped can be reversed, and the month can be posted by another run', async () => {
  const month = await twoAgents();
  const { acme, repair, read } = month;
  const id = await stopped(month);
  await acme.key.ok(reverseResidualRun, { params: { id } });
  await drain();
  expect((await read(id)).state).toBe('reversed');
  expect((await statementsOf(acme.key)).map(({ total }) => total)).toEqual([500, -500]);
  await repair();
  await posted(acme.key);
  expect((await statementsOf(acme.key)).map(({ total }) => total).toSorted()).toEqual([
    -500, 1_000, 500, 500,
  ]);
});

test('a reversal that has stopped continues when a person reverses the run again', async () => {
  const { acme, damage, repair, read } = await twoAgents();
  const { id } = await posted(acme.key);
  const params = { id };
  await damage(Number.MIN_SAFE_INTEGER);
  await acme.key.ok(reverseResidualRun, { params });
  await failures();
  expect(await read(id)).toMatchObject({ state: 'stopped' });
  const refused = await acme.key.call(postResidualRun, { params });
  expect(refused.body).toMatchObject({ error: 'residual_run_state' });
  await repair();
  await acme.key.ok(reverseResidualRun, { params });
  await drain();
  expect((await read(id)).state).toBe('reversed');
  expect((await statementsOf(acme.key)).map(({ total }) => total)).toEqual([500, 1_000, -500, -1_000]);
});
