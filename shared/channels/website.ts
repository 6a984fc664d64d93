import type { ChannelTerms } from './channel.ts';

/** The user's inbox in the portal. */
export const website = { name: 'website', permission: 'readNotifications' } as const satisfies ChannelTerms;
