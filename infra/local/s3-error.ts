/** An error response of S3, docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export class S3Error extends Error {
  override readonly name = 'S3Error';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  /** The body of the response. No message contains characters that must be escaped in XML. */
  get xml(): string {
    return `<?xml version="1.0"?>\n<Error><Code>${this.code}</Code><Message>${this.message}</Message></Error>`;
  }
}

/** Converts an error of fauxqs or Fastify. */
export function asS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  const { code, statusCode, message } = Object(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new S3Error(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  // Fastify's error for a malformed request.
  if (statusCode < 500) return new S3Error(statusCode, 'InvalidRequest', message);
  console.error(error);
  return new S3Error(500, 'InternalError', 'We encountered an internal error.');
}
