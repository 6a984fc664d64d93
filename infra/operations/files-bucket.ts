import { S3Client } from '@aws-sdk/client-s3';
import { closeAtEnd } from './close-at-end.ts';

/** The name of the bucket of files, and a client for it. Functions use shared/documents/bucket.ts instead. */
export interface FilesBucket {
  s3: S3Client;
  bucket: string;
}

/** Reads the bucket's name from the environment. `localService` and `cloudService` set the variables. */
export function filesBucket(): FilesBucket {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, BUCKET_NAME: bucket = '' } = process.env;
  const endpoint = AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL;
  const s3 = new S3Client({
    ...(endpoint && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { s3: closeAtEnd(s3), bucket };
}
