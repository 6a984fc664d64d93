import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { tuneClient } from '../../tune-client.ts';
import { gsmText } from './gsm-text.ts';
import { outcomeOf, type SendOutcome } from './send-outcome.ts';

const longest = 10_000;

let client: SNSClient | undefined;
/** The SDK does not retry, because the work queue retries. */
const sns = (): SNSClient => {
  client ??= tuneClient(new SNSClient({ maxAttempts: 1 }));
  return client;
};

/** Sends a transactional text message of one segment by SNS. `to` is a number in E.164 format. */
export async function sendText(to: string, text: string): Promise<SendOutcome> {
  const command = new PublishCommand({
    PhoneNumber: to,
    Message: gsmText(text),
    MessageAttributes: { 'AWS.SNS.SMS.SMSType': { DataType: 'String', StringValue: 'Transactional' } },
  });
  return outcomeOf(sns().send(command, { abortSignal: AbortSignal.timeout(longest) }));
}
