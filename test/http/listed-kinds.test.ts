import { expect, test } from 'vitest';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { mintedAt } from '../../shared/id/mint.ts';
import { object } from '../../shared/schema.ts';
import { putIfAbsent } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { logged } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const acme = await tenant();
const row = { pk: 'ACCOUNT#TEST#LISTED', sk: 'TEST' };
const contract = {
  method: 'POST',
  path: '/listed',
  permission: 'writeTeams',
  response: object({}),
  emits: ['team_activated'],
  summary: 'Emit',
} as const;
const event = (kind: 'team_activated' | 'team_deactivated', id: number) =>
  ({ kind, subject: { type: 'team', id }, data: {} }) as const;
const about = (team: number) => eventsAbout(acme.accountId, team);

test('a request that emits an unlisted kind fails, is logged and writes nothing', async () => {
  const events = [event('team_activated', 1), event('team_deactivated', 1)];
  const emits = endpoint({
    ...contract,
    decide: () => ({ response: {}, writes: [putIfAbsent(row)], events }),
  });
  logged.length = 0;
  expect(await acme.key.call(emits)).toMatchObject({ status: 500, body: { error: 'internal_error' } });
  expect(logged.join('')).toContain('POST /listed emits team_deactivated, which its contract does not list.');
  expect(await getItem(row)).toBeUndefined();
  expect(await about(1)).toEqual([]);
});

test('a part that emits an unlisted kind fails', async () => {
  const emits = endpoint({
    ...contract,
    commitsParts: true,
    decide: async ({ commit }) => {
      await commit([putIfAbsent(row)], [event('team_deactivated', 2)]);
      return { response: {} };
    },
  });
  expect((await acme.key.call(emits)).status).toBe(500);
  expect(await getItem(row)).toBeUndefined();
  expect(await about(2)).toEqual([]);
});

test('an event’s id has the time of the decision, not of the request', async () => {
  const minutes = 60_000;
  const slow = endpoint({
    ...contract,
    read: async () => clock.advance(3 * minutes),
    decide: () => ({ response: {}, writes: [], events: [event('team_activated', 3)] }),
  });
  const arrived = clock.now();
  await acme.key.ok(slow);
  const [emitted] = await about(3);
  expect(mintedAt(Number(emitted?.id)).getTime()).toBeGreaterThanOrEqual(arrived.getTime() + 3 * minutes);
  expect(Date.parse(String(emitted?.occurredAt))).toBeLessThan(arrived.getTime() + 3 * minutes);
  clock.reset();
});
