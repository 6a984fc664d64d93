import { emitMetric } from '../events/emit-metric.ts';
import { logFailure } from '../log.ts';

/**
 * The outcome of sending a mail or text message.
 * - `refused`: the error is about the recipient or the message; the same message would be refused again
 * - `sender_refused`: the error is about the stage's sender, AWS account or rights; an operator must correct it
 * - `later`: nothing was sent, and a retry may succeed: a throttle or a failure of the service
 * - `unknown`: no response arrived; the message may have been sent or not
 */
export type SendOutcome =
  | { outcome: 'sent'; messageId: string | undefined }
  | { outcome: 'refused' | 'sender_refused' | 'later' | 'unknown'; reason: string };

/** The metric that counts messages refused because of the sender. An alarm is defined on this metric. */
export const senderRefusals = 'SenderRefusals';

/**
 * The outcome of each error of SES v2 SendEmail and SNS Publish. An error that is not listed is never final; see
 * `outcomeOf`.
 *
 * Sources:
 * - [1] docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html, Errors
 * - [2] docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html
 * - [3] docs.aws.amazon.com/sns/latest/api/API_Publish.html, Errors
 * - [4] docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html
 * - [5] docs.aws.amazon.com/sns/latest/api/CommonErrors.html
 * - [6] the error codes in `@smithy/core/retry`: throttles, and signatures outside the permitted clock skew
 * - [7] the names of errors in `models/errors.d.ts` of `@aws-sdk/client-sns`
 */
export const outcomeByError: Readonly<Record<string, 'refused' | 'sender_refused' | 'later'>> = {
  // Faults of the AWS account or its sending identity.
  AccountSuspendedException: 'sender_refused', // [1]
  LimitExceededException: 'sender_refused', // [1] The AWS account exceeded a quota.
  MailFromDomainNotVerifiedException: 'sender_refused', // [1]
  NotFoundException: 'sender_refused', // [1] [3] The configuration set or the identity does not exist.
  SendingPausedException: 'sender_refused', // [1]
  EndpointDisabledException: 'sender_refused', // [3]
  PlatformApplicationDisabledException: 'sender_refused', // [3]
  KMSAccessDeniedException: 'sender_refused', // [3]
  KMSDisabledException: 'sender_refused', // [3]
  KMSInvalidStateException: 'sender_refused', // [3]
  KMSNotFoundException: 'sender_refused', // [3]
  KMSOptInRequired: 'sender_refused', // [3]

  // Faults of credentials, rights or the signature.
  AuthorizationErrorException: 'sender_refused', // [3]
  InvalidSecurityException: 'sender_refused', // [3]
  AccessDenied: 'sender_refused', // [5]
  AccessDeniedException: 'sender_refused', // [4] [5]
  AuthFailure: 'sender_refused', // [6]
  CredentialsProviderError: 'sender_refused', // The SDK found no credentials and sent nothing.
  ExpiredToken: 'sender_refused', // [5]
  ExpiredTokenException: 'sender_refused', // [4] [5]
  IncompleteSignature: 'sender_refused', // [4] [5]
  InvalidClientTokenId: 'sender_refused', // [4] [5]
  InvalidSignatureException: 'sender_refused', // [6]
  MissingAuthenticationToken: 'sender_refused', // [4] [5]
  NotAuthorized: 'sender_refused', // [4] [5]
  OptInRequired: 'sender_refused', // [4] [5]
  RequestExpired: 'sender_refused', // [4] [5] [6]
  RequestInTheFuture: 'sender_refused', // [6]
  RequestTimeTooSkewed: 'sender_refused', // [6]
  SignatureDoesNotMatch: 'sender_refused', // [6]
  UnrecognizedClientException: 'sender_refused', // [4] [5]

  // Faults of the recipient or the message.
  BadRequestException: 'refused', // [1]
  MessageRejected: 'refused', // [1] Except for an unverified identity; see `isUnverified`.
  InvalidParameterException: 'refused', // [3]
  InvalidParameterValueException: 'refused', // [3]
  OptedOutException: 'refused', // [7]
  UserErrorException: 'refused', // [7]
  ValidationException: 'refused', // [3]
  InvalidParameterCombination: 'refused', // [4] [5]
  InvalidParameterValue: 'refused', // [4] [5]
  RequestEntityTooLargeException: 'refused', // [4]
  ValidationError: 'refused', // [4] [5]

  // Throttles and failures of the service.
  TooManyRequestsException: 'later', // [1] [6]
  ThrottledException: 'later', // [6] [7]
  KMSThrottlingException: 'later', // [3]
  InternalErrorException: 'later', // [3]
  InternalServiceErrorException: 'later', // An error of the SDK of SES v2.
  InternalFailure: 'later', // [4] [5]
  RequestAbortedException: 'later', // [4]
  RequestLimitExceeded: 'later', // [6]
  RequestThrottled: 'later', // [6]
  RequestThrottledException: 'later', // [6]
  RequestTimeoutException: 'later', // [4]
  ServiceUnavailable: 'later', // [4] [5]
  Throttled: 'later', // [3]
  Throttling: 'later', // [2] [6]
  ThrottlingException: 'later', // [4] [5] [6]
  // Codes of Node.js for a failed connection: nothing was sent.
  EAI_AGAIN: 'later',
  ECONNREFUSED: 'later',
  ENOTFOUND: 'later',
};

interface SendResponse {
  MessageId?: string;
}

/**
 * Waits for SES or SNS. Their errors are returned as an outcome, never thrown. The outcome of an error that
 * `outcomeByError` does not list depends on the status: `sender_refused` for 4xx, because an operator must
 * investigate; `later` for 5xx; `unknown` without a response.
 */
export async function outcomeOf(response: Promise<SendResponse>): Promise<SendOutcome> {
  try {
    return { outcome: 'sent', messageId: (await response).MessageId };
  } catch (error) {
    const { names, message, status } = described(error);
    const reason = names.find((name) => Object.hasOwn(outcomeByError, name)) ?? names[0] ?? 'Error';
    const unlisted = status < 400 ? 'unknown' : status < 500 ? 'sender_refused' : 'later';
    const outcome = isUnverified(message) ? 'sender_refused' : (outcomeByError[reason] ?? unlisted);
    return outcome === 'sender_refused' ? senderRefused(reason) : { outcome, reason };
  }
}

/** The outcome of a message that was refused because of the sender. Counts the refusal and logs the reason. */
export function senderRefused(reason: string): SendOutcome {
  logFailure({ senderRefused: reason });
  emitMetric(senderRefusals, 1, 'Count');
  return { outcome: 'sender_refused', reason };
}

/**
 * Reports whether SES refused a message because an identity is not verified: the sender's or, in the SES sandbox, the
 * recipient's. SES then returns MessageRejected, as for invalid content. Source: [2].
 */
const isUnverified = (message: string): boolean => message.startsWith('Email address is not verified');

/** The status is 0 if the service sent no response. */
function described(error: unknown): { names: string[]; message: string; status: number } {
  if (!(error instanceof Error)) return { names: [String(error)], message: '', status: 0 };
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: string };
  const names = [error.name, ...(code === undefined ? [] : [code])];
  return { names, message: error.message, status: $metadata?.httpStatusCode ?? 0 };
}
