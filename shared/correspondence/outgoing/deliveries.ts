import type { MailDelivery, MailState, StoredMail } from '../mails/schema.ts';

/** The states of an outgoing mail, the most important one first. A mail has the state of one of its deliveries. */
const byImportance = [
  'waiting',
  'bounced',
  'complained',
  'failed',
  'unknown',
  'sent',
] as const satisfies MailState[];

/** Returns the state of an outgoing mail, which summarizes the states of its deliveries. */
export const stateOfDeliveries = (deliveries: readonly MailDelivery[]): MailState =>
  byImportance.find((state) => deliveries.some((one) => one.state === state)) ?? 'failed';

/** Returns the fields of a mail after the delivery to one address changed. */
export function withDelivery(mail: StoredMail, changed: MailDelivery) {
  const deliveries = mailDeliveries(mail).map((one) => (one.address === changed.address ? changed : one));
  return { deliveries, state: stateOfDeliveries(deliveries) };
}

export const mailDeliveries = ({ deliveries = [] }: Pick<StoredMail, 'deliveries'>): MailDelivery[] =>
  deliveries;

/** Returns the delivery to an address, whose case is ignored. */
export const deliveryTo = (mail: StoredMail, address: string): MailDelivery | undefined =>
  mailDeliveries(mail).find((one) => one.address.toLowerCase() === address.toLowerCase());
