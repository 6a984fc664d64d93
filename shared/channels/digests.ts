import type { ChannelTerms } from './channel.ts';

export const weeklyDigest = { name: 'weekly_email_digest', digest: 'weekly' } as const satisfies ChannelTerms;

export const monthlyDigest = {
  name: 'monthly_email_digest',
  digest: 'monthly',
} as const satisfies ChannelTerms;
