/**
 * What became of a mail or a text message that was handed over.
 * - `refused`: it would be again, such as a bad address or a sender that is not verified
 * - `later`: nothing was sent, and it may be another time: a throttle, or sending is paused
 * - `unknown`: no answer came; it may have been sent or not
 */
export type SendOutcome =
  | { outcome: 'sent'; messageId: string | undefined }
  | { outcome: 'refused' | 'later' | 'unknown'; reason: string };

/** Errors after which the same message may go another time. */
const passing = new Set([
  'AccountSuspendedException',
  'InternalErrorException',
  'InternalServiceErrorException',
  'KMSThrottlingException',
  'LimitExceededException',
  'SendingPausedException',
  'ServiceUnavailable',
  'Throttled',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
]);

interface Answered {
  MessageId?: string;
}

/** Waits for an answer of SES or SNS. Throws nothing that they say. */
export async function outcomeOf(answer: Promise<Answered>): Promise<SendOutcome> {
  try {
    return { outcome: 'sent', messageId: (await answer).MessageId };
  } catch (error) {
    const { name, status } = described(error);
    if (passing.has(name)) return { outcome: 'later', reason: name };
    if (status !== undefined && status < 500) return { outcome: 'refused', reason: name };
    return { outcome: 'unknown', reason: name };
  }
}

/** The status is there only where the service answered. */
function described(error: unknown): { name: string; status?: number } {
  if (!(error instanceof Error)) return { name: String(error) };
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return { name: error.name, status: $metadata?.httpStatusCode };
}
