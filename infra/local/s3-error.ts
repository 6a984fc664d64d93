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
}

/** Converts any error to an error response. Prints an unexpected error. */
export function asS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  if (error instanceof URIError) return new S3Error(400, 'InvalidURI', 'The specified URI is malformed.');
  console.error(error);
  return new S3Error(500, 'InternalError', 'We encountered an internal error.');
}
