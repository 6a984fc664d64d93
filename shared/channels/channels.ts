import type { ChannelTerms } from './channel.ts';
import { monthlyDigest, weeklyDigest } from './digests.ts';
import { mail } from './mail.ts';
import { sms } from './sms.ts';
import { website } from './website.ts';

/** All notification channels, in the order in which the API lists them. */
export const channels = [
  website,
  weeklyDigest,
  monthlyDigest,
  mail,
  sms,
] as const satisfies readonly ChannelTerms[];

type Channel = (typeof channels)[number];
/** The channels whose messages are sent one by one. */
type Sending = Extract<Channel, { queue: string }>;

export type ChannelName = Channel['name'];
export type MessageQueueName = Sending['queue'];
export type MessageFolder = Sending['standIn']['folder'];

export const messageChannels = channels.filter((one): one is Sending => 'queue' in one);
