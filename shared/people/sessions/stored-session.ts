/** A session as it is stored, beside its holder's account; it ends by logout, expiry or a new epoch. */
export interface StoredSession {
  id: string;
  /** `user:<id>` or `key:<id>`. */
  principal: string;
  /** The holder's epoch when the session began. */
  epoch: number;
  createdAt: string;
  expiresAt: string;
}
