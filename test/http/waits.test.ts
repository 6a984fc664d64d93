import { afterEach, expect, test, vi } from 'vitest';
import listTeams from '../../functions/teams/list-teams.ts';
import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { object } from '../../shared/schema.ts';
import { putIfVersion } from '../../shared/table/operations.ts';
import { injectFaults, noFaults } from '../harness/faults.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { tenant } from '../harness/tenant.ts';

/** The attempt numbers passed to `backoff`. The second wait ends the injected faults. */
const waits: number[] = [];
vi.mock('../../shared/table/backoff.ts', () => ({
  backoff: async (attempt: number) => {
    waits.push(attempt);
    if (waits.length === 2) noFaults();
  },
}));

afterEach(noFaults);

test('the attempt number of the backoff increases with each retry, after a conflict and after a lost race', async () => {
  const acme = await tenant();
  const nothing = { pk: 'ACCOUNT#TEST#waits', sk: 'TEST', version: 2 };
  const lose = endpoint({
    method: 'PUT',
    path: '/races',
    response: object({}),
    summary: 'Lose one race',
    writes: true,
    permission: 'readLeads',
    decide: () => ({
      response: {},
      writes: waits.length < 3 ? [putIfVersion(nothing, 1)] : [],
      events: [],
    }),
  });
  // Ensures that the measured call does not write the call counter, because this write would conflict, too.
  await inQuietMinute(() => acme.admin.ok(listTeams));
  injectFaults({ conflicts: 1 });
  expect((await acme.admin.call(lose)).status).toBe(200);
  expect(waits).toEqual([1, 2, 3]);
});
