export {};

declare module '../events/data.ts' {
  interface NounEvents {
    api_key: {
      api_key_created: Changed;
      api_key_deleted: Nothing;
      api_key_updated: Changed;
    };
  }
}
