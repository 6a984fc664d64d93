import type { BusinessHours, Priority, SlaTargets } from './schema.ts';

/** Opening hours. Without `businessHours`, business is always open. */
export interface OpeningHours {
  timezone: string;
  businessHours?: BusinessHours;
}

/** An SLA policy. A ticket keeps its policy until its priority changes. */
export interface Policy extends OpeningHours {
  /** The version of the account that introduced the policy. */
  number: number;
  targets: Record<Priority, Record<Target, number>>;
}

/** A target of a ticket. Its time is in minutes of business time and excludes pauses. */
export type Target = 'firstResponse' | 'resolution';
export const targets = ['firstResponse', 'resolution'] as const satisfies readonly Target[];

const defaultTargets: Policy['targets'] = {
  low: { firstResponse: 8 * 60, resolution: 48 * 60 },
  medium: { firstResponse: 4 * 60, resolution: 24 * 60 },
  high: { firstResponse: 60, resolution: 8 * 60 },
  urgent: { firstResponse: 15, resolution: 4 * 60 },
};

export const targetsWith = (own: SlaTargets = {}): Policy['targets'] => ({ ...defaultTargets, ...own });

export function minuteOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}
