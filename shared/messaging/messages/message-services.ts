import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { MessageServices } from '../../channels/channel.ts';
import { outcomeOf } from '../../channels/send-outcome.ts';
import { tuneClient } from '../../tune-client.ts';

/** The timeout of a call. After a timeout, the outcome is unknown. */
const timeout = () => ({ abortSignal: AbortSignal.timeout(10_000) });

let ses: SESv2Client | undefined;
let sns: SNSClient | undefined;

/** The SDK does not retry, because the work queue retries and counts the attempts. */
export const messageServices: MessageServices = {
  ses(input) {
    ses ??= tuneClient(new SESv2Client({ maxAttempts: 1 }));
    return outcomeOf(ses.send(new SendEmailCommand(input), timeout()));
  },
  sns(input) {
    sns ??= tuneClient(new SNSClient({ maxAttempts: 1 }));
    return outcomeOf(sns.send(new PublishCommand(input), timeout()));
  },
};
