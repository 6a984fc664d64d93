import { afterEach, expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import { logged } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { tenant } from '../harness/tenant.ts';
import { type WireRequest, watchWire } from '../harness/wire.ts';

const acme = await tenant();
const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
process.on('unhandledRejection', note);
const stopping: (() => void)[] = [() => process.off('unhandledRejection', note)];
afterEach(() => {
  for (const stop of stopping.splice(0)) stop();
});

/** Updates outside of transactions are counter updates. */
const rejectCounters = () =>
  stopping.push(
    watchWire({
      refuse: ({ invocation, operation }: WireRequest) =>
        invocation && operation === 'UpdateItem' ? 'no counter today' : undefined,
    }),
  );

test('a background write that fails changes no response, and is logged', async () => {
  // A new minute, whose first call is written.
  clock.advance(60_000);
  rejectCounters();
  logged.length = 0;
  const body = { firstName: 'Ada', lastName: 'Byron' };
  const { status, headers } = await acme.directKey.call(createLead, { body });
  expect(status).toBe(201);
  await new Promise((done) => setTimeout(done, 20));
  expect(unhandled).toEqual([]);
  const lines = logged.map((line) => JSON.parse(line)).filter(({ background }) => background);
  expect(lines.map(({ background }) => background).sort()).toEqual(['count calls', 'note last use']);
  for (const line of lines)
    expect(line).toMatchObject({
      level: 'error',
      requestId: headers['x-request-id'],
      failure: { name: 'AccessDeniedException', message: 'no counter today' },
    });
});

test('background writes end before the response is sent', async () => {
  const fresh = await tenant();
  let underway = 0;
  let counted = 0;
  stopping.push(
    watchWire({
      refuse: ({ operation }) => {
        if (operation === 'UpdateItem') underway += 1;
        return undefined;
      },
      done: ({ operation }) => {
        if (operation === 'UpdateItem') counted += 1;
      },
    }),
  );
  await fresh.directKey.ok(listTeams);
  expect(underway).toBeGreaterThan(0);
  expect(counted).toBe(underway);
});
