import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { MessageServices } from '../../channels/channel.ts';
import { outcomeOf } from '../../channels/send-outcome.ts';
import { tuneClient } from '../../tune-client.ts';

/** The timeouts of calls, in milliseconds. After a timeout, the outcome is unknown. */
const shortTimeout = 10_000;
/**
 * Raw messages can have attachments. For messages above 10 MB, SES may limit the bandwidth of all requests together to 40 MB/s
 * (Amazon SES Developer Guide, "Service quotas").
 */
export const rawTimeout = 25_000;
const within = (milliseconds: number) => ({ abortSignal: AbortSignal.timeout(milliseconds) });

let ses: SESv2Client | undefined;
let sns: SNSClient | undefined;

/** The SDK does not retry, because the work queue retries and counts the attempts. */
export const messageServices: MessageServices = {
  ses(input) {
    ses ??= tuneClient(new SESv2Client({ maxAttempts: 1 }));
    const timeout = input.Content?.Raw ? rawTimeout : shortTimeout;
    return outcomeOf(ses.send(new SendEmailCommand(input), within(timeout)));
  },
  sns(input) {
    sns ??= tuneClient(new SNSClient({ maxAttempts: 1 }));
    return outcomeOf(sns.send(new PublishCommand(input), within(shortTimeout)));
  },
};
