import type { ChannelTerms } from './channel.ts';
import { type ChannelName, channels, type MessageQueueName, messageChannels } from './channels.ts';

/** The names of all channels, in the order in which the API lists them. */
export const channelNames: readonly ChannelName[] = channels.map(({ name }) => name);

/** The terms of each channel, by its name. */
export const channelTerms = Object.fromEntries(
  channels.map((channel: ChannelTerms) => {
    const { name, permission, address, digest, queue } = channel;
    return [name, { permission, address, digest, queue }];
  }),
) as Readonly<Record<ChannelName, Omit<ChannelTerms, 'name'> & { queue?: MessageQueueName }>>;

/** The names of the work queues of messages. */
export const messageQueueNames: readonly MessageQueueName[] = messageChannels.map(({ queue }) => queue);

/** The names of the messages in each work queue. */
export const messageWords = Object.fromEntries(
  messageChannels.map(({ queue, messages }) => [queue, messages]),
) as Readonly<Record<MessageQueueName, (typeof messageChannels)[number]['messages']>>;
