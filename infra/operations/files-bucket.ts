import { S3Client } from '@aws-sdk/client-s3';

/** The bucket of files, for operators: functions have no such client (shared/documents/bucket.ts). */
export interface FilesBucket {
  s3: S3Client;
  bucket: string;
}

/** The bucket that the environment names, as `localService` and `cloudService` leave it. */
export function filesBucket(closeAtEnd: <C extends { destroy(): void }>(client: C) => C): FilesBucket {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, BUCKET_NAME: bucket = '' } = process.env;
  const elsewhere = AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL;
  const s3 = new S3Client({
    // An S3 elsewhere has the bucket in its paths.
    ...(elsewhere && { endpoint: elsewhere, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { s3: closeAtEnd(s3), bucket };
}
