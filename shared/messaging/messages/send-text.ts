import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { gsmText } from './gsm-text.ts';
import { outcomeOf, type SendOutcome } from './send-outcome.ts';

/** Milliseconds for one call. */
const longest = 10_000;

let client: SNSClient | undefined;
/** Tried once, as mail is. */
const sns = (): SNSClient => {
  client ??= new SNSClient({ maxAttempts: 1 });
  return client;
};

/** Hands a text message of one segment to SNS, as transactional. `to` is a number by E.164. */
export async function sendText(to: string, text: string): Promise<SendOutcome> {
  const command = new PublishCommand({
    PhoneNumber: to,
    Message: gsmText(text),
    MessageAttributes: {
      'AWS.SNS.SMS.SMSType': { DataType: 'String', StringValue: 'Transactional' },
    },
  });
  return outcomeOf(sns().send(command, { abortSignal: AbortSignal.timeout(longest) }));
}
