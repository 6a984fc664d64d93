import type { Cadence } from './digest-period.ts';

/** The content of an entry of mail that tells a user of all that is in its part of a digest. */
export interface UsersDigest {
  digest: Cadence;
  period: string;
  userId: number;
}

/** The id of the entry of mail that tells a user of its part of a digest. */
export const usersDigestId = ({ digest, period, userId }: UsersDigest): string =>
  `digest-${digest}-${period}-${userId}`;
