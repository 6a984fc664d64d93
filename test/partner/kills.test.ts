import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import workQueueSweep from '../../events/schedules/work-queue-sweep.ts';
import submitToPartner from '../../functions/applications/submit-to-partner.ts';
import { mids } from '../../shared/sales/mids/store.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { firstKill, killAt } from '../harness/kill.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { approved, connected, partnerStateOf } from './world.ts';

/** Every seventh call is killed, so that the test takes less than a minute. */
const step = 7;

// Hides the metric that every sweep logs.
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));
afterEach(() => {
  vi.restoreAllMocks();
  clock.reset();
});

describe.each(['events-deliveries', 'events-jobs'])('if %s is killed', (functionName) => {
  test.each(['before', 'after'] as const)(
    '%s a request takes effect, an application is boarded and nothing happens twice',
    async (when) => {
      for (let n = firstKill(when, step); ; n += step) {
        const { owner, partner } = await connected();
        const params = await approved(owner);
        await owner.admin.ok(submitToPartner, { params });
        const exchange = async () => {
          await drain();
          await partner.walked();
          await drain();
        };
        const killed = await killAt(n, when, exchange, functionName);
        for (let minutes = 0; minutes < 6; minutes += 2) {
          clock.advance(120_000);
          await runSchedule(workQueueSweep, clock.now());
          await exchange();
        }
        expect(partner.applications.size).toBe(1);
        const state = await partnerStateOf(owner, params);
        expect(state, `killed at call ${n}`).toMatchObject({
          state: 'sent',
          status: 'boarded',
          documents: 'received',
        });
        expect((await mids.ownersOf(owner.accountId, state?.mids ?? [])).size).toBe(1);
        const events = await eventsAbout(owner.accountId, params.applicationId);
        const count = (kind: string) => events.filter((event) => event.kind === kind).length;
        expect([
          count('application_sent_to_partner'),
          count('partner_documents_transferred'),
          count('partner_note_received'),
          // Earlier statuses may arrive late. Then they are ignored.
          events.filter(({ data }) => (data as { to?: string }).to === 'boarded').length,
        ]).toEqual([1, 1, 1, 1]);
        clock.reset();
        if (!killed) break;
        expect(n).toBeLessThan(300);
      }
    },
    240_000,
  );
});
