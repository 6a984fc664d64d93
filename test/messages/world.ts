import { afterAll, afterEach } from 'vitest';
import type { NotificationPreference } from '../../shared/people/users/notification-preferences.ts';
import { failCalls } from '../harness/call-faults.ts';
import { newStreamRecords } from '../harness/drain.ts';
import type { member } from '../harness/member.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { type WireFault, watchWire } from '../harness/wire.ts';

/** A mail or text message that a function tried to send. */
interface Handed {
  to: string;
  subject: string;
  text: string;
  html: string;
}
/** All messages of a test, in order. */
export const sentMessages: Handed[] = [];
export const to = (address: string): Handed[] => sentMessages.filter((mail) => mail.to === address);

/** Returns the fault for a message, if any. */
export const fault: { of: (mail: Handed) => WireFault | undefined } = { of: () => undefined };

interface SesInput {
  Destination: { ToAddresses: string[] };
  Content: { Simple: { Subject: { Data: string }; Body: Record<'Text' | 'Html', { Data: string }> } };
}
const mailIn = (input: unknown): Handed => {
  const { Destination, Content } = input as SesInput;
  const { Subject, Body } = Content.Simple;
  const [address = ''] = Destination.ToAddresses;
  return { to: address, subject: Subject.Data, text: Body.Text.Data, html: Body.Html.Data };
};
const stopWatching = watchWire({
  before({ service, input }) {
    if (service === 'ses') sentMessages.push(mailIn(input));
    if (service === 'sns')
      sentMessages.push({
        to: String(input.PhoneNumber),
        subject: '',
        text: String(input.Message),
        html: '',
      });
  },
});
const { stop: stopFailing } = failCalls(({ service, input }) =>
  service === 'ses' ? fault.of(mailIn(input)) : undefined,
);
afterEach(() => {
  sentMessages.splice(0);
  fault.of = () => undefined;
});
afterAll(() => {
  stopWatching();
  stopFailing();
});

export { passTime as pass } from '../harness/pass-time.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Returns the preferences of a new member for notifications of new leads. */
export const preferring = (
  deliveryPref: NotificationPreference['deliveryPref'],
): Partial<Parameters<typeof member>[2]> => ({
  notificationPreferences: [{ event: 'lead_created', deliveryPref }],
});

/** Creates a tenant, and discards the stream records of its creation, so that `drain` does not relay them. */
export async function newTenant(): Promise<Tenant> {
  const made = await tenant();
  await newStreamRecords();
  return made;
}
