import fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { Event } from '../../shared/events/envelope.ts';
import { addToDigest } from '../../shared/messaging/messages/add-to-digest.ts';
import { periodAt } from '../../shared/messaging/messages/digest-period.ts';
import { messageHandlers } from '../../shared/messaging/messages/message-handlers.ts';
import { runWorkQueue } from '../../shared/work-queue/run-work-queue.ts';
import { killStep } from '../harness/heavy.ts';
import { byChoice, heldUp, interleave, type Picks } from '../harness/interleave.ts';
import { firstKill } from '../harness/kill.ts';
import { member } from '../harness/member.ts';
import { tenant } from '../harness/tenant.ts';
import { runAs, watchWire } from '../harness/wire.ts';
import { happens } from '../webhooks/subscribed.ts';
import { killedAt, minute, pass, run, time } from '../work-queue/world.ts';

const { accountId: account, ...acme } = await tenant();
const preferences = [{ event: 'lead_created' as const, deliveryPref: ['weekly_email_digest' as const] }];
const ada = await member({ accountId: account, ...acme }, ['readLeads'], {
  notificationPreferences: preferences,
});
const timezone = 'America/New_York';

/** The texts of all sent mails. */
const sent: string[] = [];
afterEach(() => void sent.splice(0));
afterAll(
  watchWire({
    done({ service, status, input }) {
      if (service === 'ses' && status === 200) sent.push(JSON.stringify(input));
    },
  }),
);

const work = () => runWorkQueue({ account, name: 'MAIL' }, messageHandlers.MAIL, run());
let leads = 0;
/** Writes an event that the digest will contain, and returns its label. */
async function happensNow(): Promise<{ event: Event; label: string }> {
  leads += 1;
  const label = `Lead-${leads}-`;
  const subject = { type: 'lead', id: leads, version: 1, label } as const;
  return { event: await happens(account, time.now, { subject }), label };
}
const arrives = ({ id }: Event, now = time.now) =>
  addToDigest(
    { account, cadence: 'weekly', timezone, userId: ada.user.id, eventIds: [id] },
    { ...run(), now },
  );
const toDue = () => {
  time.now = periodAt('weekly', time.now, timezone).due;
};
const mailsWith = (label: string) => sent.filter((text) => text.includes(label)).length;

test('a digest is sent at most once if its worker is killed, and no event is lost', async () => {
  const labels: string[] = [];
  for (const when of ['before', 'after'] as const)
    for (let n = firstKill(when, killStep); ; n += killStep) {
      const { event, label } = await happensNow();
      labels.push(label);
      await arrives(event);
      toDue();
      const before = sent.length;
      const killed = await killedAt(n, when, work);
      // Another worker continues after the lease has expired.
      for (let again = 0; again < 2; again++) {
        pass(2 * minute);
        await work();
      }
      expect(sent.length - before, `${n} ${when}`).toBeLessThan(2);
      if (!killed) break;
      expect(n).toBeLessThan(80);
    }
  // Events that were possibly not sent are in a later digest.
  toDue();
  await work();
  for (const label of labels) expect(mailsWith(label), label).toBeGreaterThan(0);
  const all = sent.length;
  toDue();
  await work();
  expect(sent).toHaveLength(all);
});

test('an event is mailed once even if its consumer is killed and then runs again', async () => {
  for (const when of ['before', 'after'] as const)
    for (let n = 1; ; n++) {
      const { event, label } = await happensNow();
      const killed = await killedAt(n, when, () => arrives(event));
      await arrives(event);
      toDue();
      await work();
      expect(mailsWith(label), `${n} ${when}`).toBe(1);
      if (!killed) break;
      expect(n).toBeLessThan(20);
    }
});

test('an event that is added while a period closes is in exactly one of the two digests', async () => {
  const race = async (picks: Picks) => {
    const [there, late] = [await happensNow(), await happensNow()];
    await arrives(there.event);
    const { due } = periodAt('weekly', time.now, timezone);
    toDue();
    const as = (functionName: string, act: () => Promise<unknown>) => () => runAs({ functionName }, act);
    await interleave<unknown>(
      [as('writer', () => arrives(late.event, new Date(due.getTime() - 1))), as('worker', work)],
      picks,
    );
    pass(minute);
    await work();
    toDue();
    await work();
    expect([mailsWith(there.label), mailsWith(late.label)]).toEqual([1, 1]);
  };
  for (const [actor, most] of [
    [0, 4],
    [1, 8],
  ] as const)
    for (let after = 0; after <= most; after++) await race(heldUp(actor, after, 'oldest'));
  const choices = fc.array(fc.nat(1), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(choices, (picked) => race(byChoice(picked))),
    { numRuns: 8 },
  );
});
