export {};

declare module '../events/data.ts' {
  interface NounEvents {
    session: {
      user_logged_in: { method: 'password' | 'api_key' };
      user_logged_out: { sessions: 'one' | 'all' };
    };
  }
}
