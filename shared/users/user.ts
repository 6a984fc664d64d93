import type { Versioned } from '../table/records.ts';

/** A person, stored in the account where it was made. What it may do lies in its memberships. */
export interface StoredUser {
  id: number;
  email: string;
  /** The account where the user was made. */
  home: string;
  name?: string;
  phone?: string;
  imgSrc?: string;
  /** A PHC string; absent until an invitation was taken up. */
  passwordHash?: string;
  /** Moves on with every password; sessions of an earlier epoch have ended. */
  sessionEpoch: number;
  /** Every account with a membership of this user. */
  accountIds: string[];
  version: number;
  createdAt: string;
  createdBy: string;
  updatedAt: string;
  updatedBy?: string;
}

/** A user in an account: what it is called there, and what it may do. Its id is the user's. */
export interface Membership extends Versioned {
  email: string;
  name?: string;
  phone?: string;
  imgSrc?: string;
  active: boolean;
  accountAdmin: boolean;
  teamId?: number;
  roleIds: number[];
  /** Permissions granted directly, beside those of the roles. */
  flatPermissionsList: string[];
  createdBy: string;
  updatedBy?: string;
}
