import type { SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import type { PublishCommandInput } from '@aws-sdk/client-sns';
import type { PortalSettings } from '../accounts/portal.ts';
import type { Permission } from '../resources/registry.ts';
import type { SendOutcome } from './send-outcome.ts';

/** The text of a notification about one event. */
export interface NotificationText {
  /** One line. */
  subject: string;
  body: string;
  /** True if the event reports an error. */
  error: boolean;
  portalLink?: string;
  portalLinkDescription?: string;
}

/** The recipients of a default rule: the assignee, every administrator, or the user that the event is about. */
export type RecipientRole = 'assignee' | 'administrator' | 'user_concerned';

/** Why a user is notified: the user's own rule, or the user's role in a default rule. */
export type SentReason = 'own_rule' | RecipientRole;

/** The account that sends a message. */
export interface Sender extends PortalSettings {
  /** The name of the account; undefined for events that belong to no account. */
  name?: string;
}

/** The services of AWS that send messages. Their errors are returned as an outcome, never thrown. */
export interface MessageServices {
  ses(input: SendEmailCommandInput): Promise<SendOutcome>;
  sns(input: PublishCommandInput): Promise<SendOutcome>;
}

/**
 * The terms of a channel that fan-out reads. The notifications of a channel with a `digest` are collected in this
 * digest, which is sent by mail. Those of a channel with a `queue` are sent one by one by the consumer `messages`. All
 * others are added to the user's inbox.
 */
export interface ChannelTerms {
  name: string;
  /** A permission that the user needs in addition to those for reading the record. */
  permission?: Permission;
  /** The field of the user that contains the address, and the reason if it is empty. */
  address?: { field: 'email' | 'phone'; missing: 'no_address' | 'no_phone' };
  digest?: 'weekly' | 'monthly';
  /** The name of the work queue in which each account stores the messages of the channel. */
  queue?: Uppercase<string>;
}

/** A channel whose messages are sent one by one. `M` is the content of a message. */
export interface MessageChannel<M> extends ChannelTerms {
  queue: Uppercase<string>;
  address: NonNullable<ChannelTerms['address']>;
  /** The name of a message: in texts, in the event `cron_triggered`, and in the statistics of an account. */
  messages: { words: string; counted: string; stats: string };
  /** The maximum number of messages to a user in an hour. Further notifications follow in a mail at its end. */
  perHour: number;
  render(text: NotificationText, reason: SentReason, sender: Sender): M;
  send(message: M, to: string, services: MessageServices): Promise<SendOutcome>;
  /** The statement of the consumer's policy that allows to send messages. */
  right?: { sid: string; actions: readonly string[]; resources: readonly string[] };
  standIn: StandIn;
}

/** Replaces the service that sends the messages of a channel, in the local service and in tests. */
interface StandIn {
  /** The environment variable with the address of the service. */
  variable: string;
  /** The folder of the stored messages, in the data folder of the local service. */
  folder: string;
  /** Returns the message in a request. Returns undefined if the request is not for this service. */
  read(request: { path: string; body: string }): ReceivedMessage | undefined;
  /** The response to a request. `id` is the id of the message. */
  response(id: string): { type: 'application/json' | 'text/xml' | 'text/plain'; body: string };
}

/** A message as a stand-in receives it. A message with a subject is a mail. */
export interface ReceivedMessage {
  to: string[];
  text: string;
  from?: string;
  subject?: string;
  html?: string;
  headers?: { key: string; value: string }[];
  /** A complete MIME message, instead of the fields above except `from` and `to`. */
  raw?: Buffer;
}
