import type { BusinessHours, Priority, SlaTargets } from './schema.ts';

/** When business is open. Without `businessHours`: always. */
export interface OpeningHours {
  /** IANA name. */
  timezone: string;
  businessHours?: BusinessHours;
}

/** What an account promises on its tickets, as of a version of it. A ticket keeps the policy it was made under. */
export interface Policy extends OpeningHours {
  /** The version of the account at which it came into force. */
  number: number;
  targets: Record<Priority, Record<Target, number>>;
}

/** What is promised of a ticket; in minutes of business time outside its pauses. */
export type Target = 'firstResponse' | 'resolution';
export const targets = ['firstResponse', 'resolution'] as const satisfies readonly Target[];

/** The targets of an account that set none. */
const defaultTargets: Policy['targets'] = {
  low: { firstResponse: 8 * 60, resolution: 48 * 60 },
  medium: { firstResponse: 4 * 60, resolution: 24 * 60 },
  high: { firstResponse: 60, resolution: 8 * 60 },
  urgent: { firstResponse: 15, resolution: 4 * 60 },
};

/** The targets of every priority, where an account may have set its own for some. */
export const targetsWith = (own: SlaTargets = {}): Policy['targets'] => ({ ...defaultTargets, ...own });

/** The minute of the day of `09:30`. */
export function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}
