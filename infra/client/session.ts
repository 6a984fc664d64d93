/** A session that starts at the first request. Concurrent requests share one sign-in. */
export interface Session {
  token(): Promise<string>;
  /** Returns a token other than `expired`. Signs in again, unless another request already has. */
  renewed(expired: string): Promise<string>;
}

export function startSession(signIn: () => Promise<string>): Session {
  let current: Promise<string> | undefined;
  const token = (): Promise<string> => {
    current ??= signIn().catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    return current;
  };
  return {
    token,
    async renewed(expired) {
      const seen = current;
      // Another request may have signed in again while this function waited.
      if (seen !== undefined && (await seen) === expired && current === seen) current = undefined;
      return token();
    },
  };
}
