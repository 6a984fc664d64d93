import { type FilesBucket, openFilesBucket } from '../../shared/closing/files-bucket.ts';
import { closeAtEnd } from './close-at-end.ts';

/** Opens the bucket of files for a command. `localService` and `cloudService` set the variables. */
export function filesBucket(): FilesBucket {
  const { s3, bucket } = openFilesBucket();
  return { s3: closeAtEnd(s3), bucket };
}
