export {};

declare module '../events/data.ts' {
  interface NounEvents {
    account: {
      account_created: Changed;
      account_updated: Changed;
    };
  }
}
