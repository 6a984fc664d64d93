import { S3Client } from '@aws-sdk/client-s3';

/** The name of the bucket of files, and a client for it. Endpoints use shared/documents/bucket.ts instead. */
export interface FilesBucket {
  s3: S3Client;
  bucket: string;
}

/** Opens the bucket in BUCKET_NAME. */
export function openFilesBucket(): FilesBucket {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, BUCKET_NAME: bucket = '' } = process.env;
  const endpoint = AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL;
  const s3 = new S3Client({
    ...(endpoint && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { s3, bucket };
}
